import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

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
  it("are listed once each, newest first, for their tenant only", async () => {
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

  it("are raised once a month for thresholds that usage reaches because the limit was lowered", async () => {
    const raised = async () => {
      const alerts: Record<string, unknown>[] = (await list("?merchantId=m3")).json();
      return alerts.map(({ thresholdPercent, severity, message }) => `${thresholdPercent} ${severity} ${message}`);
    };
    await addMerchant("m3", { smsLimit: 100 });
    for (let count = 0; count < 4; count += 1) await sendSms("m3", "+12025550100");
    expect(await raised()).toEqual([]);
    await addMerchant("m3", { smsLimit: 5 });
    const reached = [
      "80 WARNING SMS usage has reached 80 % of the monthly limit: 4 of 5.",
      "50 INFO SMS usage has reached 50 % of the monthly limit: 4 of 5.",
    ];
    expect(await raised()).toEqual(reached);
    await addMerchant("m3", { smsLimit: 3 });
    await addMerchant("m3", { smsLimit: 8 });
    await addMerchant("m3", {});
    expect(await raised()).toEqual([
      "100 CRITICAL SMS usage has reached 100 % of the monthly limit: 4 of 3.",
      "90 WARNING SMS usage has reached 90 % of the monthly limit: 4 of 3.",
      ...reached,
    ]);
  });
});
