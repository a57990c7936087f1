// The rates of carriers, and tests of carriers from the dashboard.

import { afterEach, beforeEach, expect, it } from "vitest";
import { type CarrierRow, insertCarrier } from "../domain/carriers/rows.ts";
import { SIMULATED } from "../domain/carriers/rules.ts";
import { queueCarrierTest } from "../domain/messages/carrier-tests.ts";
import { listCarriersOf } from "../domain/reports/tenant-carriers.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { findTenant, lockStanding, saveStanding } from "../domain/tenancy/rows.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";
import { secrets } from "../testing/in-memory-service.ts";

let dashboard: DashboardService;
let admin: SignedIn;
let tenantId: number;
beforeEach(async () => {
  dashboard = await openDashboardService();
  const { store, clock } = dashboard.service;
  const tenant = { name: "Live", timezone: "America/New_York", mode: "live", now: clock.now() } as const;
  ({ tenantId } = await store.write((tx) => createTenant(tx, tenant)));
  admin = await dashboard.signIn("admin@live.example", { tenantId });
});
afterEach(() => dashboard.close());

/** Adds a carrier. Its settings are sealed like those of `msgd carriers set`. */
async function addCarrier(name: string, of: Partial<CarrierRow> = {}, settings: object = {}): Promise<void> {
  const { store, clock } = dashboard.service;
  const kind = of.kind ?? "smtp";
  const slot = { name, tenantId, channel: "EMAIL", isSecond: 0, ...of } as const;
  const sealedSettings = secrets.seal(JSON.stringify({ kind, ...settings }), bindCarrier(slot));
  await store.write((tx) => insertCarrier(tx, { ...slot, kind, sealedSettings, setAt: clock.now() }));
}

const list = async (as = admin) => (await dashboard.ask("GET", "/carriers", { as })).body;
const test = (carrier: string, to: string, as = admin) =>
  dashboard.ask("POST", "/carriers/tests", { as, body: { carrier, to } });
const listMessages = () =>
  dashboard.service.store.read((tx) =>
    tx.all("SELECT message_id AS id, merchant_id AS merchant, recipient, type, units FROM messages"),
  );

it("a carrier is shown with its rates and nothing else of its settings", async () => {
  const secret = { host: "mail.example", auth: { user: "relay", password: "hunter2" } };
  await addCarrier("smtp-0000000001", {}, { ...secret, perSecond: 20, perSecondOfTenant: 5 });
  await addCarrier("smpp-0000000002", { channel: "SMS", kind: "smpp" });
  const { carriers } = await list();
  expect(carriers).toMatchObject([
    { name: "smtp-0000000001", perSecond: 20, perSecondOfTenant: 5, tellsOnlyFailures: true },
    { name: "smpp-0000000002", perSecond: null, perSecondOfTenant: null, tellsOnlyFailures: false },
  ]);
  expect(Object.keys(carriers[0]).sort()).toEqual(
    [
      ...["channel", "downSince", "downWords", "isCommon", "isSecond", "kind", "name", "perSecond"],
      ...["perSecondOfTenant", "tellsOnlyFailures", "waiting", "waitingSince"],
    ].sort(),
  );
});

it("a carrier whose settings cannot be opened is shown without rates", async () => {
  const { store, clock } = dashboard.service;
  const row = { name: "smtp-0000000001", tenantId, channel: "EMAIL", isSecond: 0, kind: "smtp" } as const;
  await store.write((tx) => insertCarrier(tx, { ...row, sealedSettings: "not sealed", setAt: clock.now() }));
  expect((await list()).carriers).toMatchObject([{ perSecond: null, perSecondOfTenant: null }]);
});

it("a test queues a message without quota or charge, for the carrier that is tested", async () => {
  await addCarrier("smtp-0000000001");
  await addCarrier("smtp-0000000002", { isSecond: 1 });
  const reply = await test("smtp-0000000002", "Ann@Example.com");
  expect(reply).toMatchObject({ status: 200, body: { messageId: expect.stringMatching(/^msg_/) } });
  const { messageId } = reply.body;
  expect(await listMessages()).toEqual([
    { id: messageId, merchant: "default", recipient: "ann@example.com", type: "TRANSACTIONAL", units: 0 },
  ]);
  const { store } = dashboard.service;
  const [queued, tested] = await store.read(async (tx) => [
    await tx.all("SELECT carrier FROM dispatches WHERE message_id = $1", messageId),
    await tx.all("SELECT name FROM carriers WHERE tested_at IS NOT NULL"),
  ]);
  expect([queued, tested]).toEqual([[{ carrier: "smtp-0000000002" }], [{ name: "smtp-0000000002" }]]);
  const shown = await dashboard.ask("GET", `/messages/${messageId}`, { as: admin });
  expect(shown.body).toMatchObject({ status: "QUEUED", units: 0, merchantId: "default" });
});

it("a test is audited with the carrier and the masked recipient", async () => {
  await addCarrier("smtp-0000000001");
  await test("smtp-0000000001", "ann@example.com");
  const { body } = await dashboard.ask("GET", "/audit?operation=testCarrier", { as: admin });
  expect(body.entries).toMatchObject([
    { email: "admin@live.example", target: "carrier smtp-0000000001, a•••@example.com" },
  ]);
  const about = await dashboard.ask("GET", "/audit?about=ann%40example.com", { as: admin });
  expect(about.body.entries.map(({ operation }: Record<string, string>) => operation)).toEqual(["testCarrier"]);
});

it("a tenant may test one carrier in ten seconds", async () => {
  const { clock } = dashboard.service;
  await addCarrier("smtp-0000000001");
  await addCarrier("smpp-0000000002", { channel: "SMS", kind: "smpp" });
  expect((await test("smtp-0000000001", "ann@example.com")).status).toBe(200);
  const early = await test("smpp-0000000002", "(202) 555-0100");
  expect(early).toMatchObject({
    status: 429,
    body: { code: "rate_limited", detail: expect.stringContaining("Wait 10 s") },
  });
  await clock.advanceBy(10_000);
  expect((await test("smpp-0000000002", "(202) 555-0100")).status).toBe(200);
  expect(await listMessages()).toMatchObject([{ recipient: "ann@example.com" }, { recipient: "+12025550100" }]);
});

it.each([
  ["smtp-0000000001", "+12025550100", 'Expected an email address, received "+12025550100".', "invalid_email"],
  ["smpp-0000000002", "ann@example.com", "Expected a phone number such as +12025550100", "invalid_phone_number"],
  ["smpp-0000000002", "12", "Expected a phone number such as +12025550100", "invalid_phone_number"],
])("a test of %s to %s is refused at the field, and counts for nothing", async (carrier, to, detail, code) => {
  await addCarrier("smtp-0000000001");
  await addCarrier("smpp-0000000002", { channel: "SMS", kind: "smpp" });
  const { status, body } = await test(carrier, to);
  expect(status).toBe(400);
  expect(body).toMatchObject({ code, errors: [{ pointer: "/to", detail: expect.stringContaining(detail) }] });
  expect((await test("smtp-0000000001", "ann@example.com")).status).toBe(200);
});

it("a simulated carrier, one of another tenant and one of a test tenant cannot be tested", async () => {
  const { store, clock } = dashboard.service;
  await addCarrier("simulated-0000000001", { channel: "SMS", kind: SIMULATED });
  const other = { name: "Other", timezone: "UTC", mode: "live", now: clock.now() } as const;
  const { tenantId: otherId } = await store.write((tx) => createTenant(tx, other));
  await addCarrier("smtp-0000000002", { tenantId: otherId });
  const ofTest = await dashboard.signIn("admin@test.example");
  expect(await test("simulated-0000000001", "+12025550100")).toMatchObject({
    status: 409,
    body: { code: "illegal_transition", detail: expect.stringContaining("is simulated: it sends nothing") },
  });
  expect((await test("smtp-0000000002", "ann@example.com")).status).toBe(404);
  expect((await test("smtp-0000000002", "ann@example.com", ofTest)).status).toBe(404);
  expect(await listMessages()).toEqual([]);
});

it("a disabled tenant cannot test a carrier", async () => {
  const { store, clock } = dashboard.service;
  await addCarrier("smtp-0000000001");
  await store.write(async (tx) => {
    const standing = await lockStanding(tx, tenantId);
    if (standing !== undefined) await saveStanding(tx, { ...standing, disabledAt: clock.now() });
  });
  // its users are signed out, but a session may still be cached
  await expect(
    store.write(async (tx) => {
      const [tenant, [carrier]] = [await findTenant(tx, tenantId), await listCarriersOf(tx, tenantId)];
      if (tenant === undefined || carrier === undefined) return;
      await queueCarrierTest(tx, tenant, carrier, { messageId: "msg_1", recipient: "a@b.example", now: clock.now() });
    }),
  ).rejects.toThrow(`Tenant ${tenantId} is disabled: its messages wait`);
  expect(await listMessages()).toEqual([]);
});

it("only admins of the whole tenant see and test carriers", async () => {
  await addCarrier("smtp-0000000001");
  const merchant = { merchantId: "m1", displayName: "First" };
  await dashboard.ask("POST", "/v1/merchants", { as: admin, body: merchant });
  for (const [role, merchantId] of [
    ["viewer", null],
    ["auditor", null],
    ["agent", null],
    ["admin", "m1"],
  ] as const) {
    const as = await dashboard.signIn(`${role}.${merchantId}@live.example`, { tenantId, role, merchantId });
    const replies = [
      await dashboard.ask("GET", "/carriers", { as }),
      await test("smtp-0000000001", "ann@example.com", as),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403]);
  }
  expect(await listMessages()).toEqual([]);
});
