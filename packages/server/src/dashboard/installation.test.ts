// Tests what operators see: the state of the server and counts of all tenants.

import { afterAll, beforeAll, expect, it } from "vitest";
import { addToDay } from "../domain/billing/rows.ts";
import { type CarrierRow, insertCarrier, saveCarrierState } from "../domain/carriers/rows.ts";
import { saveStanding } from "../domain/tenancy/rows.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";

let dashboard: DashboardService;
let operator: SignedIn;
let admin: SignedIn;
let busyId: number;
const MINUTE_MS = 60_000;
const RECIPIENT = "+12025550100";

beforeAll(async () => {
  dashboard = await openDashboardService();
  const { service } = dashboard;
  busyId = service.credential.tenantId;
  operator = await dashboard.signIn("op@example.com", { role: "operator" });
  admin = await dashboard.signIn("admin@example.com");
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First", smsLimit: 100 } });
  for (const message of ["One", "Two"]) {
    const body = { merchantId: "m1", type: "OTP", to: RECIPIENT, message };
    expect((await service.call("POST", "/api/v1/messages/sms", { body })).statusCode).toBeLessThan(300);
  }
  await service.clock.advanceBy(MINUTE_MS);
});
afterAll(() => dashboard.close());

const addTenant = async (name: string, timezone = "UTC") => {
  const now = dashboard.service.clock.now();
  const tenant = { name, timezone, mode: "live", now } as const;
  return (await dashboard.service.store.write((tx) => createTenant(tx, tenant))).tenantId;
};

const addCarrier = (name: string, of: Partial<CarrierRow>) =>
  dashboard.service.store.write(async (tx) => {
    const now = dashboard.service.clock.now();
    const slot = { tenantId: busyId, channel: "SMS", isSecond: 0, kind: "smpp", ...of } as const;
    await insertCarrier(tx, { name, ...slot, sealedSettings: "", setAt: now });
    await saveCarrierState(tx, { name, downWords: `451 ${RECIPIENT} refused`, now: now - MINUTE_MS });
  });

it("counts of tenants, those that sent most first", async () => {
  const quietId = await addTenant("Quiet", "Asia/Tokyo");
  await dashboard.service.store.write((tx) =>
    saveStanding(tx, {
      ...{ tenantId: quietId, disabledAt: dashboard.service.clock.now(), disabledReason: "a loop", disabledBy: "Ann" },
      rateLimit: null,
    }),
  );
  const month = { tenantId: busyId, channel: "SMS", providerCostMicros: 1, markupMicros: 1 } as const;
  await dashboard.service.store.write(async (tx) => {
    const today = new Date(dashboard.service.clock.now()).toISOString().slice(0, 10);
    await addToDay(tx, { ...month, day: today }, { ...month, units: 3 });
    await addToDay(tx, { ...month, day: "2020-01-31" }, { ...month, units: 5 });
  });
  const { status, body } = await dashboard.ask("GET", "/installation", { as: operator });
  expect(status).toBe(200);
  const none = { count: 0, isMore: false };
  const now = dashboard.service.clock.now();
  expect(body).toMatchObject({ tenantCount: body.tenants.length, inDoubt: none, payments: none });
  expect(Date.parse(body.countedSince)).toBe(now - 60 * MINUTE_MS);
  expect(body.tenants[0]).toMatchObject({
    ...{ tenantId: String(busyId), disabledAt: null, accepted: 2, inDoubt: none },
    // without a carrier, both wait
    ...{ queued: { count: 2, isMore: false }, queuedSince: new Date(now - MINUTE_MS).toISOString() },
    month: { smsSegments: 3, emails: 0, calls: 0, hasMoreCalls: false },
  });
  expect(body.tenants.at(-1)).toMatchObject({ name: "Quiet", accepted: 0, disabledAt: new Date(now).toISOString() });
});

it("unreachable carriers with their tenants, without the carriers' words, which may contain recipients", async () => {
  await addCarrier("smpp-0000000001", {});
  await addCarrier("smtp-0000000002", { tenantId: 0, channel: "EMAIL", kind: "smtp" });
  const { body } = await dashboard.ask("GET", "/installation", { as: operator });
  const since = new Date(dashboard.service.clock.now() - MINUTE_MS).toISOString();
  expect(body).toMatchObject({ carriersUp: 0, hasMoreDown: false });
  expect(body.carriersDown).toEqual([
    { name: "smtp-0000000002", channel: "EMAIL", tenantId: null, since },
    { name: "smpp-0000000001", channel: "SMS", tenantId: String(busyId), since },
  ]);
  const notices = (await dashboard.ask("GET", "/notices", { as: operator })).body;
  expect(notices.filter(({ kind }: { kind: string }) => kind === "CARRIER_DOWN")).toHaveLength(2);
  expect(JSON.stringify([body, notices])).not.toContain(RECIPIENT);
});

it("their own session, which belongs to no tenant", async () => {
  const { body } = await dashboard.ask("GET", "/session", { as: operator });
  const tenant = { tenantId: "0", name: "All tenants", timezone: "UTC", mode: "live" };
  expect(body).toMatchObject({ role: "operator", merchantId: null, tenant, tenants: [tenant], canSearch: false });
  expect((await dashboard.ask("GET", "/account/sessions", { as: operator })).body).toHaveLength(1);
  const factor = { since: null, recoveryCodesLeft: 0, policy: "optional" };
  expect((await dashboard.ask("GET", "/account/second-factor", { as: operator })).body).toEqual(factor);
});

it("the audit of operators, and no entry of a tenant", async () => {
  const recipient = `/recipients/${encodeURIComponent(RECIPIENT)}`;
  expect((await dashboard.ask("GET", recipient, { as: admin })).status).toBe(200);
  expect(await dashboard.ask("GET", recipient, { as: operator })).toMatchObject({ status: 403 });
  const operationsOf = async (as: SignedIn) => {
    const { body } = await dashboard.ask("GET", "/audit", { as });
    return body.entries.map(({ email, operation }: Record<string, string>) => `${email} ${operation}`);
  };
  expect(await operationsOf(operator)).toEqual([
    "op@example.com getRecipient",
    "op@example.com signIn",
    "op@example.com setPassword",
  ]);
  expect((await operationsOf(admin)).filter((entry: string) => entry.startsWith("op@"))).toEqual([]);
});

it("nothing of it to a tenant's admin", async () => {
  expect((await dashboard.ask("GET", "/installation", { as: admin })).body.detail).toContain("needs the role operator");
});
