/**
 * Exercises the SDK in a page: sends twice under one key, is refused, aborts a call, and verifies a callback.
 *
 * @param {typeof import("@msgctl/sdk")} sdk
 * @param {typeof import("@msgctl/sdk/webhooks")} webhooks
 * @param {{ apiKey: string, apiSecret: string, baseUrl: string }} service a real one
 */
export async function exercisePage(sdk, webhooks, service) {
  const client = new sdk.MessagingClient(service);
  const merchant = await client.merchants.upsert({ merchantId: "m1", displayName: "M", active: true, smsLimit: 10 });
  const body = /** @type {const} */ ({ merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" });
  const sent = await client.send.sms(body, { idempotencyKey: "from-a-page" });
  const again = await client.send.sms(body, { idempotencyKey: "from-a-page" }).withResponse();
  const refused = await client.merchants.get("nobody").safe();
  const givenUp = await client.merchants.list({ signal: AbortSignal.abort() }).safe();
  const unreachable = await new sdk.MessagingClient({
    ...service,
    baseUrl: "http://127.0.0.1:1",
    maxRetries: 0,
  }).merchants
    .list()
    .safe();

  const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  const signed = await webhooks.signWebhook({ type: "something.new", data: merchant }, secret);
  const event = await webhooks.verifyWebhook(signed.body, signed.headers, secret);

  return {
    status: sent.status,
    isReplayed: again.meta.replayed && again.data.messageId === sent.messageId,
    isNotFound: !refused.ok && refused.error instanceof sdk.NotFoundError,
    isAborted: !givenUp.ok && givenUp.error instanceof sdk.AbortedError,
    isUnreachable: !unreachable.ok && unreachable.error instanceof sdk.ConnectionError,
    eventType: event.type,
  };
}

/** The result of `exercisePage` if the SDK works. */
export const expected = {
  status: "QUEUED",
  isReplayed: true,
  isNotFound: true,
  isAborted: true,
  isUnreachable: true,
  eventType: "something.new",
};
