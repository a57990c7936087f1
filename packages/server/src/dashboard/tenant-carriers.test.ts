// A tenant's carriers, as the dashboard shows them.

import { afterAll, beforeAll, expect, it } from "vitest";
import { restLane } from "../domain/callbacks/queue-rows.ts";
import { enqueueCallback } from "../domain/callbacks/rows.ts";
import { type CarrierRow, insertCarrier, saveCarrierState } from "../domain/carriers/rows.ts";
import { enterQueue } from "../domain/messages/carrier-queue-rows.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";

let dashboard: DashboardService;
let admin: SignedIn;
let other: SignedIn;
let ownId: number;
const MINUTE_MS = 60_000;

beforeAll(async () => {
  dashboard = await openDashboardService();
  const { store, clock } = dashboard.service;
  const tenant = { timezone: "UTC", mode: "live", now: clock.now() } as const;
  const own = await store.write((tx) => createTenant(tx, { ...tenant, name: "Own" }));
  const common = await store.write((tx) => createTenant(tx, { ...tenant, name: "Common" }));
  ownId = own.tenantId;
  admin = await dashboard.signIn("admin@own.example", { tenantId: own.tenantId });
  other = await dashboard.signIn("admin@common.example", { tenantId: common.tenantId });
  const carrier = (name: string, of: Partial<CarrierRow>) =>
    store.write((tx) =>
      insertCarrier(tx, {
        ...{ name, tenantId: own.tenantId, channel: "EMAIL", isSecond: 0, kind: "smtp" },
        ...{ sealedSettings: "", setAt: clock.now(), ...of },
      }),
    );
  await carrier("smtp-0000000001", {});
  await carrier("smpp-0000000002", { channel: "SMS", kind: "smpp", tenantId: EVERY_TENANT });
  await carrier("smtp-0000000003", { tenantId: EVERY_TENANT });
});
afterAll(() => dashboard.close());

const carriersOf = async (as: SignedIn) => (await dashboard.ask("GET", "/carriers", { as })).body.carriers;

const state = (name: string, downWords: string | undefined) => {
  const { store, clock } = dashboard.service;
  return store.write((tx) => saveCarrierState(tx, { name, downWords, now: clock.now() - MINUTE_MS }));
};

it("the carriers of each channel are the tenant's own or, if it has none, those shared by all tenants", async () => {
  expect((await carriersOf(admin)).map(({ name }: { name: string }) => name)).toEqual([
    "smtp-0000000001",
    "smpp-0000000002",
  ]);
  expect((await carriersOf(other)).map(({ name }: { name: string }) => name)).toEqual([
    "smtp-0000000003",
    "smpp-0000000002",
  ]);
  const test = await dashboard.signIn("admin@test.example");
  expect(await carriersOf(test)).toEqual([]);
});

it("a carrier is shown with its state, last error and backlog, and a waiting message with the same error", async () => {
  const { store, clock } = dashboard.service;
  const merchant = { merchantId: "m1", displayName: "First", emailLimit: 10 };
  await dashboard.ask("POST", "/v1/merchants", { as: admin, body: merchant });
  const email = { merchantId: "m1", to: "ann@example.com", subject: "Hi", body: "Hello", type: "OTP" };
  const sent = await dashboard.ask("POST", "/v1/messages/email", { as: admin, body: email });
  expect(sent).toMatchObject({ body: { status: "QUEUED" } });
  const { messageId } = sent.body;
  const createdAt = clock.now();
  await store.write((tx) =>
    enterQueue(
      tx,
      { messageId, tenantId: ownId, createdAt, asks: 0, isQueued: 1, giveUpAt: null },
      { carrier: "smtp-0000000001", messageClass: 1, expiresAt: createdAt + MINUTE_MS },
    ),
  );
  const shown = async () => (await dashboard.ask("GET", `/messages/${messageId}`, { as: admin })).body.carrierDown;
  expect([(await carriersOf(admin))[0], await shown()]).toEqual([
    expect.objectContaining({ downSince: null, downWords: null, waiting: { count: 1, isMore: false } }),
    null,
  ]);
  await state("smtp-0000000001", "connect ECONNREFUSED");
  const since = new Date(clock.now() - MINUTE_MS).toISOString();
  const down = { name: "smtp-0000000001", since: expect.any(String), words: "connect ECONNREFUSED" };
  expect([(await carriersOf(admin))[0], await shown()]).toEqual([
    expect.objectContaining({ downWords: "connect ECONNREFUSED", waitingSince: new Date(createdAt).toISOString() }),
    down,
  ]);
  expect(Date.parse((await carriersOf(admin))[0].downSince)).toBeLessThanOrEqual(Date.parse(since));
  // the second carrier takes over
  await store.write((tx) =>
    insertCarrier(tx, {
      ...{ name: "smtp-0000000004", tenantId: ownId, channel: "EMAIL", isSecond: 1, kind: "smtp" },
      ...{ sealedSettings: "", setAt: clock.now() },
    }),
  );
  expect(await shown()).toBe(null);
  await state("smtp-0000000004", "connect ETIMEDOUT");
  expect(await shown()).toEqual(down);
});

it("notices name unreachable carriers to every user, and doubts and backups only to those who can act", async () => {
  await state("smtp-0000000001", "connect ECONNREFUSED");
  const viewer = await dashboard.signIn("viewer@own.example", { tenantId: ownId, role: "viewer" });
  const kindsOf = async (as: SignedIn) =>
    (await dashboard.ask("GET", "/notices", { as })).body.map(({ kind, name }: Record<string, string>) => [kind, name]);
  const down = [
    ["CARRIER_DOWN", "smtp-0000000001"],
    ["CARRIER_DOWN", "smtp-0000000004"],
  ];
  expect(await kindsOf(viewer)).toEqual(down);
  // backlogs cover all merchants, so a user of one merchant does not see them
  const manager = await dashboard.signIn("m1@own.example", { tenantId: ownId, role: "viewer", merchantId: "m1" });
  const countsOf = async (as: SignedIn) =>
    (await dashboard.ask("GET", "/notices", { as })).body.map(({ count }: { count: object | null }) => count !== null);
  expect([await countsOf(viewer), await countsOf(manager)]).toEqual([
    [true, true],
    [false, false],
  ]);
  const { store, clock } = dashboard.service;
  await store.write((tx) =>
    enqueueCallback(tx, {
      ...{ tenantId: ownId, requestId: 7, url: "https://hooks.example.com/", type: "voice.tts_call.updated" },
      ...{ data: {}, now: clock.now() },
    }),
  );
  await store.write((tx) =>
    restLane(tx, { tenantId: ownId, receiver: "hooks.example.com", rests: 0 }, clock.now() + MINUTE_MS),
  );
  expect(await kindsOf(admin)).toEqual([...down, ["RECEIVER_SILENT", "hooks.example.com"]]);
  expect(await kindsOf(viewer)).toEqual(down);
  expect(await kindsOf(other)).toEqual([]);
});
