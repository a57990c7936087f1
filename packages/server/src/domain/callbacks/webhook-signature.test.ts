import { describe, expect, it } from "vitest";
import { isSigningSecret, SIGNING_SECRET_BYTES, signWebhook, toSigningSecret, verifyWebhook } from "./rules.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const other = toSigningSecret(Buffer.alloc(SIGNING_SECRET_BYTES, 7));
const webhook = { webhookId: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}', now: 1_614_265_330_000 };

describe("signWebhook", () => {
  it("signs the test vector of the Standard Webhooks libraries as they do", () => {
    expect(signWebhook(webhook, [secret])).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("makes one signature per secret", () => {
    const signatures = signWebhook(webhook, [other, secret])["webhook-signature"].split(" ");
    expect(signatures).toHaveLength(2);
    expect(signatures[1]).toBe(signWebhook(webhook, [secret])["webhook-signature"]);
    expect(signatures[0]).toBe(signWebhook(webhook, [other])["webhook-signature"]);
    expect(signatures[0]).not.toBe(signatures[1]);
  });

  it.each([
    { ...webhook, webhookId: "msg_other" },
    { ...webhook, now: webhook.now + 1_000 },
    { ...webhook, body: '{"test": 2432232315}' },
  ])("makes another signature if id, time or body differ: %j", (changed) => {
    const of = (what: typeof webhook) => signWebhook(what, [secret])["webhook-signature"];
    expect(of(changed)).not.toBe(of(webhook));
  });
});

describe("verifyWebhook", () => {
  const headers = signWebhook(webhook, [other, secret]);
  const verify = (given: Partial<Parameters<typeof verifyWebhook>[0]>, by = secret) =>
    verifyWebhook({ ...webhook, headers, ...given }, by);

  it("accepts one of several signatures, for five minutes before and after its time", () => {
    for (const minutes of [-5, 0, 5]) {
      const now = webhook.now + minutes * 60_000;
      expect(verify({ now, body: Buffer.from(webhook.body) })).toEqual({ webhookId: webhook.webhookId });
      expect(verify({ now: now + Math.sign(minutes) * 1_000 })).toHaveProperty(minutes === 0 ? "webhookId" : "fault");
    }
  });

  it.each([
    {},
    { ...headers, "webhook-id": "msg_other" },
    { ...headers, "webhook-id": "two words" },
    { ...headers, "webhook-id": "x".repeat(201) },
    { ...headers, "webhook-timestamp": "1614265331" },
    { ...headers, "webhook-timestamp": "now" },
    { ...headers, "webhook-signature": "" },
    { ...headers, "webhook-signature": headers["webhook-signature"].replaceAll("v1,", "v1a,") },
  ])("refuses the headers %j", (given) => {
    expect(verify({ headers: given })).toEqual({ fault: expect.any(String) });
  });

  it("refuses another body and another secret", () => {
    expect(verify({ body: "{}" })).toHaveProperty("fault");
    expect(verify({}, toSigningSecret(Buffer.alloc(SIGNING_SECRET_BYTES, 8)))).toHaveProperty("fault");
  });
});

it.each([
  [secret, true],
  [other, true],
  ["whsec_c2hvcnQ=", false],
  ["whsec_", false],
  [secret.slice(6), false],
  [`${secret}\n`, false],
])("isSigningSecret(%j) is %s", (text, isSecret) => {
  expect(isSigningSecret(text)).toBe(isSecret);
});
