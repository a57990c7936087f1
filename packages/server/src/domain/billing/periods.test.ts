// Tests messages that are accepted before the end of a month, in the tenant's time zone, and whose outcome follows later.

import { afterEach, beforeEach, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

/** The last second of January in New York. */
const lastSecond = Date.parse("2026-02-01T04:59:59.000Z");

let service: InMemoryService;
beforeEach(async () => {
  service = await openInMemoryService({ timezone: "America/New_York", now: lastSecond });
  const quota = { smsLimit: 2, smsCredits: 1 };
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "shop", displayName: "Shop", ...quota } });
});
afterEach(() => service.close());

async function send(to: string): Promise<number> {
  const body = { merchantId: "shop", to, message: "Hi", type: "OTP" };
  return (await service.call("POST", "/api/v1/messages/sms", { body })).statusCode;
}
const view = async () => (await service.call("GET", "/api/v1/merchants/shop")).json();

it("a new month gives a new allowance, and messages accepted in the old month settle in the old month", async () => {
  // the first message will fail at the simulated provider
  expect([await send("+12025550120"), await send("+12025550100"), await send("+12025550100")]).toEqual([200, 200, 200]);
  expect(await send("+12025550100")).toBe(402);
  expect((await view()).usage.periodStart).toBe("2026-01-01");
  await service.clock.advanceBy(1_000);
  expect([await send("+12025550100"), await send("+12025550100"), await send("+12025550100")]).toEqual([200, 200, 402]);
  await service.start();
  await service.clock.advanceBy(60_000);
  const { usage, credits } = await view();
  expect(usage).toMatchObject({ smsUsed: 2, periodStart: "2026-02-01" });
  expect(credits.smsCredits).toBe(1);
  const periods = await service.store.read((tx) =>
    tx.all("SELECT period, used, reserved, credit_units AS credits FROM usage ORDER BY period"),
  );
  expect(periods).toEqual([
    { period: "2026-01-01", used: 2, reserved: 0, credits: 0 },
    { period: "2026-02-01", used: 2, reserved: 0, credits: 0 },
  ]);
});
