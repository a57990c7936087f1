import { UnsafeIntegerError, UsageError } from "../errors.ts";
import type { ReplyData } from "../exact-integers.ts";
import { type ExactJson, readJson } from "../int64.ts";
import { checkNames, type NamesOf } from "../known-names.ts";
import type { WebhookEvent } from "./events.ts";
import { readHeaders, type WebhookHeaders } from "./headers.ts";
import { isEqual, signaturesOf, type WebhookSecrets } from "./signature.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "./verification-error.ts";

/** Options of `verifyWebhook`. `E` is the value of `exactIntegers`. */
export interface VerifyOptions<E extends boolean = false> {
  /**
   * Maximum difference between `webhook-timestamp` and `now`, in milliseconds; `Infinity` for no limit. An older callback
   * may be a replay by somebody who recorded it.
   *
   * @default 300000
   */
  toleranceMs?: number | undefined;
  /**
   * The current time, in epoch milliseconds.
   *
   * @default Date.now()
   */
  now?: number | undefined;
  /**
   * Returns an integer beyond ±(2^53 − 1) as a `bigint`, in place of an `UnsafeIntegerError`, and types the event accordingly.
   *
   * @default false
   */
  exactIntegers?: E | undefined;
}

const OF_VERIFY: NamesOf<VerifyOptions> = { toleranceMs: 1, now: 1, exactIntegers: 1 };

/**
 * Verifies that the service sent this callback, and returns its event. An event may arrive more than once: process each
 * `id` once.
 *
 * @param rawBody - The body as it came, as text or bytes: parsing and serializing it again would change the signed bytes.
 * @param secrets - The tenant's secret, or several while it is rotated: one of them must have signed the callback.
 * @throws {WebhookVerificationError} If the callback cannot be trusted; `reason` says why.
 * @throws {UnsafeIntegerError} If it can be trusted, and contains an integer that a number cannot represent; `data` is the event.
 * @throws {UsageError} When there is no usable secret, no headers were passed, or an option is unknown or out of range.
 */
export async function verifyWebhook<E extends boolean = false>(
  rawBody: string | ArrayBuffer | ArrayBufferView,
  headers: WebhookHeaders,
  secrets: WebhookSecrets,
  options: VerifyOptions<E> = {},
): Promise<ReplyData<WebhookEvent, E>> {
  checkNames("Options of verifyWebhook", options, OF_VERIFY);
  const body = bytesOf(rawBody);
  const [id, timestamp, signatures] = readHeaders(headers);
  const expected = await signaturesOf({ id, timestamp, body }, secrets);
  checkTimestamp(timestamp, options);
  // signatures are separated by a space, or by a comma if a proxy joined several headers
  const given = signatures.split(/,?\s+/);
  if (!expected.some((signature) => given.some((one) => isEqual(one, signature)))) {
    // `eyJ` is Base64 for `{"`: the body was encoded, because no event begins like that.
    if (/^eyJ[\w+/-]+=*$/.test(new TextDecoder().decode(body)))
      throw refusal(
        "body_not_raw",
        'The body is base64, as AWS Lambda gives it. Pass its bytes: event.isBase64Encoded ? Buffer.from(event.body, "base64") : event.body.',
      );
    throw refusal(
      "no_matching_signature",
      "No signature of the callback was made with the given secrets. Either it is forged, or the secret is not the tenant's, or the body was changed: pass the exact bytes received, before anything parses them.",
    );
  }
  const { value, unsafe } = read(body);
  if (!isEvent(value))
    throw refusal("not_an_event", "The callback is signed, but is not a { type, timestamp, data } object.");
  const event = { ...value, id } as ReplyData<WebhookEvent, E>;
  if (unsafe && !options.exactIntegers) throw new UnsafeIntegerError({ ...unsafe, data: event });
  return event;
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  // Not `instanceof`: in test environments the ArrayBuffer may come from another realm.
  if (Object.prototype.toString.call(rawBody) === "[object ArrayBuffer]") return new Uint8Array(rawBody as ArrayBuffer);
  const received = rawBody == null ? "missing" : `of type ${typeof rawBody}, as after parsing`;
  throw refusal(
    "body_not_raw",
    `The body is ${received}. Pass the signed bytes, as text, Uint8Array or ArrayBuffer. Express: express.raw({ type: "application/json" }) on this route, before any express.json(), then req.body. Fastify: addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body)), then request.body. A fetch handler: await request.text().`,
  );
}

function checkTimestamp(timestamp: string, options: VerifyOptions<boolean>): void {
  const { toleranceMs = 300_000, now = Date.now() } = options;
  if (!(toleranceMs >= 0)) throw new UsageError(`toleranceMs must be 0 or more, not ${toleranceMs}.`);
  if (!Number.isFinite(now)) throw new UsageError(`now must be in epoch milliseconds, not ${now}.`);
  if (!/^\d{1,12}$/.test(timestamp)) {
    const received = JSON.stringify(timestamp.slice(0, 40));
    throw refusal("bad_timestamp", `webhook-timestamp must be in seconds since 1970, not ${received}.`);
  }
  // compare whole seconds, because the header has no fractions
  const ageSeconds = Math.floor(now / 1000) - Number(timestamp);
  if (Math.abs(ageSeconds) * 1000 <= toleranceMs) return;
  const isOld = ageSeconds > 0;
  throw refusal(
    isOld ? "too_old" : "too_new",
    `The callback was signed ${Math.abs(ageSeconds)} s ${isOld ? "ago" : "from now"}, and toleranceMs allows ${toleranceMs / 1000} s. If it is genuine, set this machine's clock.`,
  );
}

function read(body: Uint8Array): ExactJson {
  try {
    return readJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    // the parser's own message quotes the body
    throw refusal("not_json", `The callback is signed, but its body (${body.length} bytes) is not JSON.`);
  }
}

/** Checks the members of the body. The event's id is in a header. */
function isEvent(value: unknown): value is WebhookEvent {
  if (typeof value !== "object" || value === null) return false;
  const { type, timestamp } = value as Partial<WebhookEvent>;
  return typeof type === "string" && typeof timestamp === "string" && "data" in value;
}

function refusal(reason: WebhookVerificationReason, message: string): WebhookVerificationError {
  return new WebhookVerificationError(reason, message);
}
