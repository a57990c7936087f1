import { BulkConsentResource } from "./bulk/record-many.ts";
import { BulkSendResource } from "./bulk/send-many.ts";
import { connectionOf } from "./core-client.ts";
import { ResourceClient } from "./generated/resources.ts";
import { createRawClient, type RawClient } from "./raw-client.ts";
import { WaitingTtsResource } from "./wait/wait-for-batch.ts";

/**
 * Client of the merchant messaging API. Each operation is a method with the group and name of its command:
 * `msgctl send sms` in a terminal is `client.send.sms(…)` here.
 *
 * @example
 * const client = new MessagingClient({ apiKey, apiSecret, baseUrl });
 * const sent = await client.send.sms({ merchantId: "m1", to: "+12025550100", message: "Your code: 417", type: "OTP" });
 */
export class MessagingClient extends ResourceClient {
  /** Consents of recipients, by merchant, channel and contact: recorded one by one, or many at once. */
  override readonly consent = new BulkConsentResource(this);
  /** SMS, calls and emails, sent after the consent and quota checks: one by one, or many at once. */
  override readonly send = new BulkSendResource(this);
  /**
   * Spoken messages to one or more numbers, with delivery and cost per call and per batch, and a method that waits for
   * their end.
   */
  override readonly tts = new WaitingTtsResource(this);
  #raw: RawClient | undefined;

  /** The openapi-fetch client on the same transport, with the same credentials, idempotency keys and retries. */
  get raw(): RawClient {
    this.#raw ??= createRawClient(connectionOf(this));
    return this.#raw;
  }
}
