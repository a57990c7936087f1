import { stringifyJson } from "../int64.ts";
import { checkNames, type NamesOf } from "../known-names.ts";
import type { DataOf, EventType } from "./events.ts";
import { signaturesOf, type WebhookSecrets } from "./signature.ts";

/** An event to sign; `data` has the type that the contract gives a documented `type`. */
export interface EventToSign<T extends string = EventType> {
  type: T;
  /**
   * Time of the event, in ISO 8601.
   *
   * @default the `now` it is signed at
   */
  timestamp?: string | undefined;
  data: DataOf<T>;
}

export interface SignOptions {
  /**
   * The `webhook-id`: unique for each event, and the same when an event is repeated.
   *
   * @default a random one
   */
  id?: string | undefined;
  /**
   * When the attempt is signed, in epoch milliseconds.
   *
   * @default Date.now()
   */
  now?: number | undefined;
}

const OF_SIGN: NamesOf<SignOptions> = { id: 1, now: 1 };

/** A callback as the service would post it. */
export interface SignedWebhook {
  body: string;
  headers: Record<"content-type" | "webhook-id" | "webhook-timestamp" | "webhook-signature", string>;
}

/**
 * Makes a callback that `verifyWebhook` accepts, for the tests of a receiver.
 *
 * @param secrets - Each secret makes one signature; there are several secrets while one is rotated.
 * @throws {UsageError} When there is no usable secret, or an option is unknown.
 */
export async function signWebhook<T extends string>(
  event: EventToSign<T>,
  secrets: WebhookSecrets,
  options: SignOptions = {},
): Promise<SignedWebhook> {
  checkNames("Options of signWebhook", options, OF_SIGN);
  const { id = `evt_${globalThis.crypto.randomUUID().replaceAll("-", "")}`, now = Date.now() } = options;
  const { type, timestamp = new Date(now).toISOString(), data } = event;
  const body = stringifyJson({ type, timestamp, data });
  const signedAt = String(Math.floor(now / 1000));
  const signatures = await signaturesOf({ id, timestamp: signedAt, body: new TextEncoder().encode(body) }, secrets);
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": signedAt,
      "webhook-signature": signatures.join(" "),
    },
  };
}
