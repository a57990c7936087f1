// Costs of the month so far, calls included, for users of a tenant or of one merchant.

import { afterEach, beforeEach, expect, it } from "vitest";
import { type DashboardService, openDashboardService } from "../testing/dashboard-service.ts";

const DAY_MS = 86_400_000;
let dashboard: DashboardService;
beforeEach(async () => {
  dashboard = await openDashboardService();
  await dashboard.service.start();
});
afterEach(() => dashboard.close());

const post = async (path: string, body: object) =>
  (await dashboard.service.call("POST", `/api/v1/${path}`, { body })).json();

async function spend(merchantId: string, to: string, texts: number) {
  await post("merchants", { merchantId, displayName: merchantId, smsLimit: 10, voiceMinutesLimit: 100 });
  for (let count = 0; count < texts; count += 1)
    await post("messages/sms", { merchantId, to, message: "Hello", type: "OTP" });
  const call = { merchantId, toNumbers: [to], messageText: "Hello", useCase: "OTP" };
  return (await post("voice/tts-calls", call)).batchId as string;
}

const costOf = async (batchId: string): Promise<number> => {
  const path = `/api/v1/voice/tts-calls/batches/${batchId}/summary`;
  return Math.round((await dashboard.service.call("GET", path)).json().totalCost * 1e6);
};

it("the cost is the sum of the usage report and the calls, and a merchant's users see only the merchant's costs", async () => {
  const first = await spend("m1", "+12025550100", 2);
  const second = await spend("m2", "+12125550100", 1);
  const admin = await dashboard.signIn("admin@acme.example");
  const manager = await dashboard.signIn("m1@acme.example", { role: "viewer", merchantId: "m1" });
  const costs = async (as = admin) => (await dashboard.ask("GET", "/costs", { as })).body;
  // the costs of calls that were just accepted are estimates
  const early = await costs();
  expect(early.callEstimateMicros).toBeGreaterThan(0);
  await dashboard.service.clock.advanceBy(60_000);
  const calls = [await costOf(first), await costOf(second)] as const;
  const report = (await dashboard.service.call("GET", "/api/v1/reports/usage")).json();
  const all = await costs();
  expect(all).toMatchObject({
    ...{ from: report.from, to: report.to, smsSegments: 3, emails: 0, emailMicros: 0, calls: 2, hasMoreCalls: false },
    smsMicros: Math.round(report.finalCharges * 1e6),
    callMicros: calls[0] + calls[1],
  });
  expect(await costs(manager)).toMatchObject({
    ...{ smsSegments: 2, calls: 1, callMicros: calls[0] },
    smsMicros: Math.round((all.smsMicros * 2) / 3),
  });
  // a user of the tenant may ask for one merchant, and a merchant's user for no other
  const ofMerchant = (as: typeof admin, merchantId: string) =>
    dashboard.ask("GET", `/costs?merchantId=${merchantId}`, { as });
  expect((await ofMerchant(admin, "m1")).body).toEqual(await costs(manager));
  expect((await ofMerchant(manager, "m2")).status).toBe(403);
  await dashboard.service.clock.advanceBy(31 * DAY_MS);
  const later = await dashboard.signIn("later@acme.example");
  expect(await costs(later)).toMatchObject({ smsMicros: 0, calls: 0, callMicros: 0 });
});
