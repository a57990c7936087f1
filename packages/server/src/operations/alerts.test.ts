import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../in-memory-service.ts";

let service: InMemoryService;
beforeAll(async () => {
  service = await openInMemoryService();
  await service.start();
  await addMerchant("m1", { smsLimit: 10, emailLimit: 2 });
  await addMerchant("m2", { smsLimit: 100 });
  for (let count = 0; count < 5; count += 1) await sendSms("m1", "+12025550100");
  const email = { merchantId: "m1", to: "ada@example.com", subject: "Hi", body: "Hi", type: "TRANSACTIONAL" };
  await service.call("POST", "/api/v1/messages/email", { body: email });
  for (let count = 0; count < 5; count += 1) await sendSms("m2", "+12025550120");
});
afterAll(() => service.close());

function addMerchant(merchantId: string, quota: object) {
  return service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId, ...quota } });
}

async function sendSms(merchantId: string, to: string): Promise<void> {
  await service.call("POST", "/api/v1/messages/sms", { body: { merchantId, to, message: "Hi", type: "OTP" } });
  await service.clock.advanceBy(1_000);
}

const list = async (query = "", as = service.credential) => service.call("GET", `/api/v1/alerts${query}`, { as });

describe("alerts", () => {
  it("lists what a tenant is warned of, newest first, each once", async () => {
    await sendSms("m1", "+12025550100");
    const createdAt = expect.stringMatching(/^2026-01-15T12:00:\d\d\.\d{3}Z$/);
    expect((await list()).json()).toEqual([
      {
        merchantId: "m2",
        channel: "SMS",
        alertType: "PROVIDER_FAILURE",
        severity: "CRITICAL",
        message: "The SMS provider failed 5 times in a row.",
        thresholdPercent: null,
        createdAt,
      },
      {
        merchantId: "m1",
        channel: "EMAIL",
        alertType: "USAGE_THRESHOLD",
        severity: "INFO",
        message: "EMAIL usage has reached 50 % of the monthly limit: 1 of 2.",
        thresholdPercent: 50,
        createdAt,
      },
      {
        merchantId: "m1",
        channel: "SMS",
        alertType: "USAGE_THRESHOLD",
        severity: "INFO",
        message: "SMS usage has reached 50 % of the monthly limit: 5 of 10.",
        thresholdPercent: 50,
        createdAt,
      },
    ]);
  });

  it("shows a merchant's credential its own, and another tenant none", async () => {
    const as = await service.issue({ merchantId: "m2" });
    const merchants = (await list("", as)).json().map(({ merchantId }: { merchantId: string }) => merchantId);
    expect(merchants).toEqual(["m2"]);
    expect((await list("?merchantId=m1", as)).json()).toMatchObject({ status: 403, code: "merchant_scope_denied" });
    const other = await service.issue({ tenant: "Other" });
    expect((await list("", other)).json()).toEqual([]);
    expect((await list("?merchantId=m1", other)).json()).toMatchObject({ status: 404, code: "merchant_not_found" });
  });
});
