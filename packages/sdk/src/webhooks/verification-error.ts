import { MessagingError } from "../errors.ts";

/**
 * The fault of a callback.
 *
 * - `body_not_raw`: the handler got a body that was already parsed, is still base64, or is missing
 * - `missing_header`: a header that a signed callback has is not there
 * - `bad_timestamp`: `webhook-timestamp` is no number of seconds
 * - `too_old`, `too_new`: it was signed longer ago, or further in the future, than is tolerated
 * - `no_matching_signature`: none of the secrets made any of its signatures
 * - `not_json`, `not_an_event`: signed, but its body is no JSON, or no `{ type, timestamp, data }`
 */
export type WebhookVerificationReason =
  | "body_not_raw"
  | "missing_header"
  | "bad_timestamp"
  | "too_old"
  | "too_new"
  | "no_matching_signature"
  | "not_json"
  | "not_an_event";

/** The callback cannot be trusted: answer 400 and ignore it. Contains no secret and no signature. */
export class WebhookVerificationError extends MessagingError {
  /** @internal */
  static override readonly msgctlKind: string = "WebhookVerificationError";
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
