/**
 * Exercises the SDK in a runtime: sends, is refused, reads an exact number, and handles a callback.
 *
 * @param {Pick<typeof import("@msgctl/sdk"), "MessagingClient" | "MessagingError" | "NotFoundError">} sdk
 * @param {Pick<typeof import("@msgctl/sdk/webhooks"), "signWebhook" | "verifyWebhook" | "WebhookVerificationError">} webhooks
 * @param {string} baseUrl of a service that defers the first request under a key
 */
export async function exercise(sdk, webhooks, baseUrl) {
  const client = new sdk.MessagingClient({ apiKey: "the-key", apiSecret: "the-secret", baseUrl });
  const body = /** @type {const} */ ({ merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" });
  const { data, meta } = await client.send.sms(body).withResponse();
  const refused = await client.merchants.get("nobody").safe();
  const exactly = /** @type {const} */ ({ exactIntegers: true });
  const call = await client.tts.get(9007199254740993n, exactly);

  const secret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  const signed = await webhooks.signWebhook({ type: "something.new", data: call }, secret);
  const event = await webhooks.verifyWebhook(signed.body, new Headers(signed.headers), secret, exactly);
  const forgery = await webhooks.verifyWebhook(`${signed.body} `, signed.headers, secret).catch((error) => error);

  return {
    ...{ status: data.status, attempts: meta.attempts, hasKey: meta.idempotencyKey !== undefined },
    isNotFound: !refused.ok && refused.error instanceof sdk.NotFoundError,
    namesCaller: !refused.ok && /\bexercise\b/.test(String(refused.error.stack)),
    exactNumber: String(call.callSessionId),
    eventType: event.type,
    exactNumberOfEvent: String(/** @type {{ callSessionId: bigint }} */ (event.data).callSessionId),
    isForgeryRefused: forgery instanceof webhooks.WebhookVerificationError,
    isErrorOfBothEntries: forgery instanceof sdk.MessagingError,
    isSecretShown: JSON.stringify(client).includes("the-secret"),
  };
}

/** The result of `exercise` if the SDK works. */
export const expected = {
  ...{ status: "QUEUED", attempts: 2, hasKey: true },
  isNotFound: true,
  namesCaller: true,
  exactNumber: "9007199254740993",
  eventType: "something.new",
  exactNumberOfEvent: "9007199254740993",
  isForgeryRefused: true,
  isErrorOfBothEntries: true,
  isSecretShown: false,
};
