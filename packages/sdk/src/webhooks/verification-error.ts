import { MessagingError } from "../errors.ts";

/**
 * The fault of a callback.
 *
 * - `body_not_raw`: the handler got a body that was already parsed, is still base64, or is missing
 * - `missing_header`: a header that every signed callback has is missing
 * - `bad_timestamp`: `webhook-timestamp` is not a number of seconds
 * - `too_old`, `too_new`: it was signed longer ago, or further in the future, than `toleranceMs` allows
 * - `no_matching_signature`: none of its signatures was made with one of the secrets
 * - `not_json`, `not_an_event`: it is signed, but its body is not JSON, or not of the form `{ type, timestamp, data }`
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
