import { describe, expect, it } from "vitest";
import { SIGNING_SECRET_BYTES, signWebhook, toSigningSecret } from "./rules.ts";

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
