import { afterEach, beforeEach, expect, it } from "vitest";
import { insertAlert } from "../domain/merchants/alert-rows.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";

let dashboard: DashboardService;
let agent: SignedIn;
beforeEach(async () => {
  dashboard = await openDashboardService();
  agent = await dashboard.signIn("agent@acme.example", { role: "agent" });
});
afterEach(() => dashboard.close());

/** Raises alerts one by one, a second apart. */
async function raise(merchantId: string, { count = 1, tenantId = dashboard.service.credential.tenantId } = {}) {
  const { store, clock } = dashboard.service;
  for (let index = 1; index <= count; index += 1) {
    await clock.advanceBy(1_000);
    const message = `${merchantId} ${index}`;
    await store.write((tx) =>
      insertAlert(tx, {
        ...{ tenantId, merchantId, channel: "SMS", alertType: "USAGE_THRESHOLD", severity: "WARNING", message },
        ...{ thresholdPercent: 80, occurrence: String(clock.now()), now: clock.now() },
      }),
    );
  }
}

interface OpenAlert {
  readonly alertId: number;
  readonly message: string;
}

const list = async (as: SignedIn, query = "") => (await dashboard.ask("GET", `/alerts${query}`, { as })).body;
const messagesOf = async (as: SignedIn, query = "") =>
  (await list(as, query)).alerts.map(({ message }: OpenAlert) => message);
const acknowledge = (as: SignedIn, alertId: number) => dashboard.ask("POST", `/alerts/${alertId}/acknowledge`, { as });

it("the newest open alerts are listed, with the number of the others", async () => {
  expect(await list(agent)).toEqual({ alerts: [], more: { count: 0, isMore: false } });
  await raise("m1", { count: 12 });
  const { alerts, more } = await list(agent);
  expect(alerts.map(({ message }: OpenAlert) => message)).toEqual(
    Array.from({ length: 5 }, (_none, index) => `m1 ${12 - index}`),
  );
  expect(more).toEqual({ count: 7, isMore: false });
  expect(alerts[0]).toEqual({
    ...{ alertId: expect.any(Number), merchantId: "m1", channel: "SMS", severity: "WARNING", message: "m1 12" },
    createdAt: new Date(dashboard.service.clock.now()).toISOString(),
  });
});

it("the first acknowledgement removes the alert from the open ones and is kept, and listAlerts still lists it", async () => {
  const { store, clock } = dashboard.service;
  await raise("m1", { count: 2 });
  const [newest] = (await list(agent)).alerts;
  const acknowledgedAt = new Date(clock.now()).toISOString();
  const first = { alertId: newest.alertId, acknowledgedAt, acknowledgedBy: "agent@acme.example" };
  expect((await acknowledge(agent, newest.alertId)).body).toEqual(first);
  expect(await messagesOf(agent)).toEqual(["m1 1"]);
  await clock.advanceBy(60_000);
  const admin = await dashboard.signIn("admin@acme.example");
  expect((await acknowledge(admin, newest.alertId)).body).toEqual(first);
  const all = (await dashboard.service.call("GET", "/api/v1/alerts")).json();
  expect(all.map(({ message }: OpenAlert) => message)).toEqual(["m1 2", "m1 1"]);
  const entries = await store.read((tx) =>
    tx.all("SELECT email, target FROM audit_entries WHERE operation = 'acknowledgeAlert' ORDER BY entry_id"),
  );
  const target = "alertId 1•••, merchantId m1, m1 2";
  expect(entries).toEqual([
    { email: "agent@acme.example", target },
    { email: "admin@acme.example", target },
  ]);
});

it("a user of one merchant sees and acknowledges only its alerts, and no user those of another tenant", async () => {
  const { store, clock } = dashboard.service;
  const tenant = { name: "Other", timezone: "UTC", mode: "live", now: clock.now() } as const;
  const { tenantId } = await store.write((tx) => createTenant(tx, tenant));
  const other = await dashboard.signIn("admin@other.example", { tenantId });
  await dashboard.service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First" } });
  const ofMerchant = await dashboard.signIn("m1@acme.example", { role: "agent", merchantId: "m1" });
  await raise("m1");
  await raise("m2");
  expect(await messagesOf(agent)).toEqual(["m2 1", "m1 1"]);
  expect(await messagesOf(agent, "?merchantId=m1")).toEqual(["m1 1"]);
  expect(await messagesOf(ofMerchant)).toEqual(["m1 1"]);
  expect(await messagesOf(other)).toEqual([]);
  expect((await dashboard.ask("GET", "/alerts?merchantId=m2", { as: ofMerchant })).status).toBe(403);
  const [second, first] = (await list(agent)).alerts;
  const statuses: number[] = [];
  for (const [as, { alertId }] of [
    [ofMerchant, second],
    [other, first],
    [ofMerchant, first],
  ] as const)
    statuses.push((await acknowledge(as, alertId)).status);
  expect(statuses).toEqual([404, 404, 200]);
  expect(await messagesOf(agent)).toEqual(["m2 1"]);
});

it("viewers and auditors see the open alerts, but cannot acknowledge them", async () => {
  await raise("m1");
  for (const role of ["viewer", "auditor"] as const) {
    const as = await dashboard.signIn(`${role}@acme.example`, { role });
    expect((await list(as)).alerts).toHaveLength(1);
    expect((await acknowledge(as, (await list(as)).alerts[0].alertId)).status).toBe(403);
  }
  expect(await messagesOf(agent)).toEqual(["m1 1"]);
});

it("ids of alerts do not reveal how many other tenants have", async () => {
  const { store, clock } = dashboard.service;
  const tenant = { name: "Other", timezone: "UTC", mode: "live", now: clock.now() } as const;
  const { tenantId } = await store.write((tx) => createTenant(tx, tenant));
  await raise("m1");
  await raise("m9", { count: 3, tenantId });
  await raise("m1");
  const [second, first] = (await list(agent)).alerts;
  // 4 096 ids a millisecond, and four seconds between the two
  expect(second.alertId - first.alertId).toBeGreaterThan(3_999 * 4_096);
});
