import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTenant } from "../domain/tenancy/tenants.ts";
import { insertUser } from "../domain/users/rows.ts";
import { MOST_USERS } from "../domain/users/users.ts";
import { listAsked } from "../testing/audit-entries.ts";
import { type DashboardService, openDashboardService, PASSWORD, type SignedIn } from "../testing/dashboard-service.ts";

let dashboard: DashboardService;
let admin: SignedIn;
beforeEach(async () => {
  dashboard = await openDashboardService();
  const { service } = dashboard;
  for (const merchantId of ["m1", "m2"]) {
    await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId } });
  }
  admin = await dashboard.signIn("admin@example.com");
});
afterEach(() => dashboard.close());

type Changed = "reset" | "disable" | "role";
const list = async (as = admin) => (await dashboard.ask("GET", "/users", { as })).body;
const create = (body: object, as = admin) => dashboard.ask("POST", "/users", { as, body });
const change = (userId: number, what: Changed, as = admin) =>
  dashboard.ask("POST", `/users/${userId}/${what}`, { as, ...(what === "role" ? { body: { role: "viewer" } } : {}) });
const signInAs = (email: string, password = PASSWORD) =>
  dashboard.ask("POST", "/session", { body: { email, password } });
const showSession = (as: SignedIn) => dashboard.ask("GET", "/session", { as });
const addTenant = () =>
  dashboard.service.store.write((tx) =>
    createTenant(tx, { name: "Other", timezone: "UTC", now: dashboard.service.clock.now() }),
  );

async function listEntries() {
  const { store, credential } = dashboard.service;
  return (await listAsked(store, credential.tenantId)).reverse();
}

it("users are listed with their roles and whether they can sign in, disabled ones last", async () => {
  const { service, signIn } = dashboard;
  const bob = await signIn("bob@example.com", { role: "viewer", merchantId: "m1" });
  const alan = await signIn("alan@example.com", { role: "agent" });
  await change(alan.userId, "disable");
  await create({ email: "zoe@example.com", role: "agent" });
  const now = new Date(service.clock.now()).toISOString();
  const { users, hasMore } = await list();
  expect(hasMore).toBe(false);
  expect(
    users.map(({ email, role, merchantId, state }: Record<string, string>) => [email, role, merchantId, state]),
  ).toEqual([
    ["admin@example.com", "admin", null, "ACTIVE"],
    ["bob@example.com", "viewer", "m1", "ACTIVE"],
    ["zoe@example.com", "agent", null, "INVITED"],
    ["alan@example.com", "agent", null, "DISABLED"],
  ]);
  expect(users[1]).toEqual({
    ...{ userId: bob.userId, email: "bob@example.com", role: "viewer", merchantId: "m1", state: "ACTIVE" },
    ...{ hasSecondFactor: false, createdAt: now, signedInAt: now, linkExpiresAt: null, disabledAt: null },
  });
  expect(users[2].signedInAt).toBeNull();
  await service.clock.advanceBy(24 * 60 * 60_000);
  const back = { ...admin, token: (await signInAs(admin.email)).body.token };
  expect((await list(back)).users[2].state).toBe("LINK_EXPIRED");
});

describe("a new user", () => {
  it("gets a link that begins with the public URL, if the server has one", async () => {
    await dashboard.close();
    dashboard = await openDashboardService({ publicUrl: "https://msg.example.com" });
    admin = await dashboard.signIn("admin@example.com");
    const { body } = await create({ email: "ann@example.com", role: "agent" });
    expect(body.link).toMatch(/^https:\/\/msg\.example\.com\/dashboard\/password#[\w-]{43}$/);
  });

  it("gets a link that sets the password and is not shown anywhere else", async () => {
    const { ask, service, logged } = dashboard;
    const reply = await create({ email: "Ann@Example.com", role: "agent", merchantId: "m1" });
    expect([reply.status, reply.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(reply.body).toMatchObject({
      user: { email: "ann@example.com", role: "agent", merchantId: "m1", state: "INVITED", signedInAt: null },
      linkExpiresAt: new Date(service.clock.now() + 24 * 60 * 60_000).toISOString(),
    });
    const [, link = ""] = /^\/dashboard\/password#([\w-]{43})$/.exec(reply.body.link) ?? [];
    expect((await ask("POST", "/password", { body: { link, password: PASSWORD } })).body.email).toBe("ann@example.com");
    const { token } = (await signInAs("ann@example.com")).body;
    const ann = { ...admin, token };
    expect((await showSession(ann)).body).toMatchObject({ role: "agent", merchantId: "m1" });
    expect(JSON.stringify([await list(), await listEntries(), logged])).not.toContain(link);
  });

  it("cannot have an address that is in use, and the error is the same whichever tenant uses it", async () => {
    const { tenantId } = await addTenant();
    await dashboard.signIn("far@example.com", { tenantId });
    await dashboard.signIn("near@example.com");
    const refusals = [];
    for (const name of ["far", "near", "admin"]) {
      const { status, body } = await create({ email: `${name}@example.com`, role: "viewer" });
      const { code, errors, detail } = body;
      refusals.push(JSON.stringify({ status, code, errors, detail }).replaceAll(name, "…"));
    }
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toContain("cannot be used for a new user");
    expect((await list()).users).toHaveLength(2);
  });

  it.each([
    [{ email: "ann", role: "viewer" }, 400, "invalid_email"],
    [{ email: "ann@example.com", role: "owner" }, 400, "validation_error"],
    [{ email: "ann@example.com" }, 400, "validation_error"],
    [{ email: "ann@example.com", role: "viewer", tenantId: "2" }, 400, "validation_error"],
    [{ email: "ann@example.com", role: "viewer", merchantId: "nobody" }, 404, "merchant_not_found"],
  ])("is refused for the request %j", async (body, status, code) => {
    expect((await create(body)).body).toMatchObject({ status, code });
    expect((await list()).users).toHaveLength(1);
  });

  it("is refused if there are 1,000 users who are not disabled, and so is enabling one", async () => {
    const { store, credential } = dashboard.service;
    const gone = await dashboard.signIn("gone@example.com");
    await change(gone.userId, "disable");
    await store.write(async (tx) => {
      const of = { tenantId: credential.tenantId, merchantId: null, role: "viewer", createdAt: 0 } as const;
      for (let count = 1; count < MOST_USERS; count += 1)
        await insertUser(tx, { ...of, email: `u${count}@example.com` });
    });
    const { users, hasMore } = await list();
    expect([users.length, hasMore]).toEqual([1_000, true]);
    const last = users.at(-1);
    const full = { status: 409, code: "illegal_transition", detail: expect.stringContaining("1000 users") };
    expect((await create({ email: "ann@example.com", role: "viewer" })).body).toMatchObject(full);
    expect((await change(gone.userId, "reset")).body).toMatchObject(full);
    // a user who is not disabled already counts, so a reset stays possible
    expect((await change(last.userId, "reset")).status).toBe(200);
    await change(last.userId, "disable");
    expect((await change(gone.userId, "reset")).status).toBe(200);
  });

  it("is created by only one of several concurrent requests if the limit allows one more user", async () => {
    const { store, credential } = dashboard.service;
    await store.write(async (tx) => {
      const of = { tenantId: credential.tenantId, merchantId: null, role: "viewer", createdAt: 0 } as const;
      for (let count = 2; count < MOST_USERS; count += 1)
        await insertUser(tx, { ...of, email: `u${count}@example.com` });
    });
    const replies = await Promise.all(
      ["a", "b", "c"].map((name) => create({ email: `${name}@example.com`, role: "viewer" })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it("is created only once by two concurrent requests", async () => {
    const replies = await Promise.all(
      (["viewer", "agent"] as const).map((role) => create({ email: "ann@example.com", role })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe("a change of a user", () => {
  let bob: SignedIn;
  beforeEach(async () => {
    bob = await dashboard.signIn("bob@example.com", { role: "agent" });
  });

  it("of the role takes effect within a second", async () => {
    const { ask, service } = dashboard;
    expect((await ask("GET", "/users", { as: bob })).status).toBe(403);
    const promoted = await ask("POST", `/users/${bob.userId}/role`, { as: admin, body: { role: "admin" } });
    expect(promoted.body).toMatchObject({ userId: bob.userId, role: "admin", state: "ACTIVE" });
    await service.clock.advanceBy(1_000);
    expect((await ask("GET", "/users", { as: bob })).status).toBe(200);
    await change(bob.userId, "role");
    await service.clock.advanceBy(1_000);
    expect((await ask("GET", "/users", { as: bob })).body.detail).toContain("has the role viewer");
    expect((await showSession(bob)).body.role).toBe("viewer");
  });

  it("that disables the user takes effect within a second, and lasts until a reset", async () => {
    const { ask, service } = dashboard;
    await showSession(bob);
    const { body } = await change(bob.userId, "disable");
    expect(body).toMatchObject({ userId: bob.userId, state: "DISABLED" });
    await service.clock.advanceBy(1_000);
    expect((await showSession(bob)).body.code).toBe("credentials_invalid");
    expect((await signInAs(bob.email)).status).toBe(401);
    const { link, user } = (await change(bob.userId, "reset")).body;
    expect(user.state).toBe("INVITED");
    const body2 = { link: link.split("#")[1], password: "another long password" };
    expect((await ask("POST", "/password", { body: body2 })).status).toBe(200);
    expect((await signInAs(bob.email)).status).toBe(401);
    expect((await signInAs(bob.email, "another long password")).status).toBe(200);
  });

  it.each(["reset", "disable", "role"] as const)(
    "succeeds for one of two admins who change each other at the same time, or for both if it is a reset: %s",
    async (what) => {
      const eve = await dashboard.signIn("eve@example.com");
      await Promise.all([showSession(admin), showSession(eve)]);
      const replies = await Promise.all([change(eve.userId, what), change(admin.userId, what, eve)]);
      const [done, refused] = replies.sort((one, other) => one.status - other.status);
      if (what === "reset") expect([done?.status, refused?.status]).toEqual([200, 200]);
      else expect([done?.status, refused?.status, refused?.body.code]).toEqual([200, 403, "merchant_scope_denied"]);
    },
  );

  it.each(["reset", "disable", "role"] as const)("is refused if the user is the caller: %s", async (what) => {
    const { status, body } = await change(admin.userId, what);
    expect([status, body.code]).toEqual([409, "illegal_transition"]);
    expect(body.detail).toMatch(/^You cannot .* yourself/);
    await dashboard.service.clock.advanceBy(1_000);
    expect((await showSession(admin)).body.role).toBe("admin");
  });

  it.each(["x", "0", "-1", "1.5", "9007199254740993"])("is refused for the invalid user id %s", async (userId) => {
    expect((await dashboard.ask("POST", `/users/${userId}/disable`, { as: admin })).status).toBe(400);
  });
});

describe("an admin of one merchant", () => {
  let own: SignedIn;
  beforeEach(async () => {
    own = await dashboard.signIn("own@example.com", { merchantId: "m1" });
  });

  it("manages only users of that merchant", async () => {
    const near = await dashboard.signIn("near@example.com", { merchantId: "m1", role: "agent" });
    const other = await dashboard.signIn("other@example.com", { merchantId: "m2", role: "agent" });
    const emails = (await list(own)).users.map(({ email }: { email: string }) => email);
    expect(emails).toEqual(["near@example.com", "own@example.com"]);
    for (const what of ["role", "reset", "disable"] as const) {
      expect((await change(near.userId, what, own)).status).toBe(200);
      for (const { userId } of [other, admin]) expect((await change(userId, what, own)).status).toBe(404);
    }
    expect((await list()).users.map(({ role, state }: Record<string, string>) => [role, state])).toEqual([
      ["admin", "ACTIVE"],
      ["agent", "ACTIVE"],
      ["admin", "ACTIVE"],
      ["viewer", "DISABLED"],
    ]);
  });

  it("adds only users of that merchant", async () => {
    for (const merchantId of [undefined, "m2", "nobody"]) {
      const { body } = await create({ email: "ann@example.com", role: "viewer", merchantId }, own);
      expect(body).toMatchObject({ status: 403, code: "merchant_scope_denied" });
      expect(body.detail).toContain("You can give access only to merchant m1");
    }
    const reply = await create({ email: "ann@example.com", role: "admin", merchantId: "m1" }, own);
    expect(reply.body.user).toMatchObject({ role: "admin", merchantId: "m1" });
  });
});

it("the audit records a change of a user before the reply, with the admin and the user, even if the change fails", async () => {
  const { userId } = (await create({ email: "ann@example.com", role: "agent", merchantId: "m1" })).body.user;
  await list();
  for (const what of ["role", "reset", "disable"] as const) await change(userId, what);
  await change(admin.userId, "disable");
  const entries = await listEntries();
  expect(entries.map(({ operation, target }) => [operation, target])).toEqual([
    ["createUser", "email ann@example.com, role agent, merchantId m1"],
    ["listUsers", null],
    ["setUserRole", `userId ${userId}, role viewer, ann@example.com`],
    ["resetUser", `userId ${userId}, ann@example.com`],
    ["disableUser", `userId ${userId}, ann@example.com`],
    ["disableUser", `userId ${admin.userId}, admin@example.com`],
  ]);
  expect(new Set(entries.map(({ email }) => email))).toEqual(new Set(["admin@example.com"]));
});

it("a development server has no users", async () => {
  const development = await openDashboardService({ isDevelopment: true });
  for (const reply of [
    await development.ask("GET", "/users"),
    await development.ask("POST", "/users", { body: { email: "ann@example.com", role: "viewer" } }),
    await development.ask("POST", "/users/1/disable"),
  ]) {
    expect(reply.body).toMatchObject({ status: 404, code: "route_not_found" });
    expect(reply.body.detail).toContain("has no users");
  }
  await development.close();
});
