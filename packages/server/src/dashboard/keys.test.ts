import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { insertCredential } from "../domain/tenancy/rows.ts";
import { type IssuedCredential, MOST_KEYS } from "../domain/tenancy/tenants.ts";
import { listAsked } from "../testing/audit-entries.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";

const DAY_SECONDS = 24 * 60 * 60;

let dashboard: DashboardService;
let admin: SignedIn;
beforeEach(async () => {
  dashboard = await openDashboardService();
  for (const merchantId of ["m1", "m2"]) {
    await dashboard.service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId } });
  }
  admin = await dashboard.signIn("admin@example.com");
});
afterEach(() => dashboard.close());

const list = async (as = admin) => (await dashboard.ask("GET", "/keys", { as })).body;
const create = (body: object = {}, as = admin) => dashboard.ask("POST", "/keys", { as, body });
const rotate = (apiKey: string, overlapSeconds: number, as = admin) =>
  dashboard.ask("POST", `/keys/${apiKey}/rotate`, { as, body: { overlapSeconds } });
const revoke = (apiKey: string, as = admin) => dashboard.ask("POST", `/keys/${apiKey}/revoke`, { as });

/** Returns the status of a program's request with the credential. */
async function use(as: Pick<IssuedCredential, "apiKey" | "apiSecret">): Promise<string> {
  const reply = await dashboard.service.call("GET", "/api/v1/merchants", { as });
  return reply.statusCode === 200 ? "known" : reply.json().code;
}

async function make(body: object = {}): Promise<{ apiKey: string; apiSecret: string }> {
  const { key, apiSecret } = (await create(body)).body;
  return { apiKey: key.apiKey, apiSecret };
}

describe("a new key", () => {
  it("works immediately, and its secret is not shown anywhere else", async () => {
    const { service, logged } = dashboard;
    const reply = await create();
    expect([reply.status, reply.headers["cache-control"]]).toEqual([200, "no-store"]);
    const { key, apiSecret } = reply.body;
    const now = new Date(service.clock.now()).toISOString();
    expect(key).toEqual({
      ...{ apiKey: expect.stringMatching(/^mkt_/), name: null, merchantId: null, state: "ACTIVE", createdAt: now },
      ...{ createdBy: "admin@example.com", lastUsedAt: null, overlapEndsAt: null, revokedAt: null },
    });
    expect(await use({ apiKey: key.apiKey, apiSecret })).toBe("known");
    const { tenantId } = service.credential;
    const entries = await listAsked(service.store, tenantId);
    expect(entries).toHaveLength(1);
    expect(JSON.stringify([await list(), entries, logged])).not.toContain(apiSecret);
  });

  it("of a command was created by no user", async () => {
    const { apiKey } = dashboard.service.credential;
    const { keys } = await list();
    expect(keys.find((key: { apiKey: string }) => key.apiKey === apiKey)).toMatchObject({ createdBy: null });
  });

  it("may have a name", async () => {
    const { key } = (await create({ name: "nightly-7" })).body;
    expect((await list()).keys).toContainEqual(key);
    expect(key.name).toBe("nightly-7");
  });

  it("may be limited to one merchant", async () => {
    const credential = await make({ merchantId: "m1" });
    expect(credential.apiKey).toMatch(/^mkm_/);
    const reply = await dashboard.service.call("GET", "/api/v1/merchants/m2", { as: credential });
    expect(reply.json().code).toBe("merchant_scope_denied");
  });

  it.each([
    [{ merchantId: "nobody" }, 404, "merchant_not_found"],
    [{ merchantId: "" }, 400, "validation_error"],
    [{ merchantId: null }, 400, "validation_error"],
    [{ tenantId: 2 }, 400, "validation_error"],
    [{ name: "" }, 400, "validation_error"],
    [{ name: "a b" }, 400, "validation_error"],
    [{ name: "x".repeat(65) }, 400, "validation_error"],
  ])("is refused for the request %j", async (body, status, code) => {
    expect((await create(body)).body).toMatchObject({ status, code });
    expect((await list()).keys).toHaveLength(1);
  });

  it("is refused if there are 1,000 keys that are not revoked", async () => {
    const { store, credential } = dashboard.service;
    const { tenantId } = credential;
    await store.write(async (tx) => {
      const of = { tenantId, merchantId: null, now: 0 };
      for (let count = 1; count < MOST_KEYS; count += 1) {
        await insertCredential(tx, { ...of, apiKey: `k${count}`, secretHash: `h${count}` });
      }
    });
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([409, "illegal_transition"]);
    expect(refused.body.detail).toContain("1000 keys");
    await revoke("k1");
    expect((await create()).status).toBe(200);
    const { keys, hasMore } = await list();
    expect([keys.length, hasMore]).toEqual([1_000, true]);
    expect(keys.every(({ state }: { state: string }) => state === "ACTIVE")).toBe(true);
  });
});

it("keys are listed with their last use, the newest first and revoked ones last", async () => {
  const { service } = dashboard;
  const start = new Date(service.clock.now()).toISOString();
  await service.clock.advanceBy(1_000);
  const first = await make({ merchantId: "m1" });
  await service.clock.advanceBy(1_000);
  const second = await make();
  await service.clock.advanceBy(1_000);
  const third = await make();
  await use(second);
  const now = new Date(service.clock.now()).toISOString();
  await revoke(third.apiKey);
  await rotate(first.apiKey, DAY_SECONDS);
  const { apiKey } = service.credential;
  // a use is recorded after the reply
  await expect.poll(async () => (await list()).keys[0].lastUsedAt).toBe(now);
  const { keys, hasMore } = await list();
  expect(hasMore).toBe(false);
  expect(keys.map(({ apiKey, state }: Record<string, string>) => [apiKey, state])).toEqual([
    [second.apiKey, "ACTIVE"],
    [first.apiKey, "ROTATING"],
    [apiKey, "ACTIVE"],
    [third.apiKey, "REVOKED"],
  ]);
  expect(keys[1].overlapEndsAt).toBe(new Date(service.clock.now() + DAY_SECONDS * 1_000).toISOString());
  expect(keys[2].lastUsedAt).toBe(start);
  expect(keys[3]).toMatchObject({ revokedAt: now, merchantId: null });
});

describe("a rotation", () => {
  it("returns a secret that works immediately; the previous secret works until the overlap ends", async () => {
    const { service, logged } = dashboard;
    const old = await make();
    const { key, apiSecret } = (await rotate(old.apiKey, 60)).body;
    expect(key).toMatchObject({ apiKey: old.apiKey, state: "ROTATING" });
    const rotated = { apiKey: old.apiKey, apiSecret };
    expect([await use(old), await use(rotated)]).toEqual(["known", "known"]);
    await service.clock.advanceBy(61_000);
    expect([await use(old), await use(rotated)]).toEqual(["credentials_invalid", "known"]);
    expect(JSON.stringify([await list(), logged])).not.toContain(apiSecret);
  });

  it.each([-1, 0.5, 30 * DAY_SECONDS + 1])("is refused with an overlap of %s s", async (overlapSeconds) => {
    const { apiKey } = await make();
    expect((await rotate(apiKey, overlapSeconds)).body).toMatchObject({ status: 400, code: "validation_error" });
  });
});

describe("a key that was revoked", () => {
  it("is refused within a second, permanently", async () => {
    const credential = await make();
    expect(await use(credential)).toBe("known");
    expect((await revoke(credential.apiKey)).body).toMatchObject({ apiKey: credential.apiKey, state: "REVOKED" });
    await dashboard.service.clock.advanceBy(1_000);
    expect(await use(credential)).toBe("credentials_revoked");
    const refused = await rotate(credential.apiKey, 0);
    expect([refused.status, refused.body.code]).toEqual([409, "illegal_transition"]);
    const { revokedAt } = (await revoke(credential.apiKey)).body;
    expect(revokedAt).toBe(new Date(dashboard.service.clock.now() - 1_000).toISOString());
  });
});

it("admins of one merchant manage only its keys", async () => {
  const own = await dashboard.signIn("own@example.com", { merchantId: "m1" });
  const [whole, first, second] = [await make(), await make({ merchantId: "m1" }), await make({ merchantId: "m2" })];
  expect((await list(own)).keys.map(({ apiKey }: { apiKey: string }) => apiKey)).toEqual([first.apiKey]);
  for (const { apiKey } of [whole, second]) {
    expect([(await revoke(apiKey, own)).status, (await rotate(apiKey, 0, own)).status]).toEqual([404, 404]);
  }
  for (const body of [{}, { merchantId: "m2" }]) {
    expect((await create(body, own)).body).toMatchObject({ status: 403, code: "merchant_scope_denied" });
  }
  expect((await create({ merchantId: "m1" }, own)).status).toBe(200);
  expect([(await rotate(first.apiKey, 0, own)).status, (await revoke(first.apiKey, own)).status]).toEqual([200, 200]);
  await dashboard.service.clock.advanceBy(1_000);
  expect([await use(whole), await use(second)]).toEqual(["known", "known"]);
});

it("the audit records changes of keys, with the user and the key", async () => {
  const { service } = dashboard;
  const { apiKey } = await make({ merchantId: "m1" });
  await rotate(apiKey, 0);
  await revoke(apiKey);
  const { tenantId } = service.credential;
  const entries = await listAsked(service.store, tenantId);
  expect(entries.reverse().map(({ email, operation, target }) => [email, operation, target])).toEqual([
    ["admin@example.com", "createKey", "merchantId m1"],
    ["admin@example.com", "rotateKey", `apiKey ${apiKey}`],
    ["admin@example.com", "revokeKey", `apiKey ${apiKey}`],
  ]);
});

it("keys can be managed in development, where there are no users", async () => {
  const development = await openDashboardService({ isDevelopment: true });
  const { key } = (await development.ask("POST", "/keys", { body: {} })).body;
  expect((await development.ask("POST", `/keys/${key.apiKey}/revoke`)).body.state).toBe("REVOKED");
  await development.close();
});
