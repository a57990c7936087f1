import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAuditEntries } from "../domain/tenancy/rows.ts";
import { reseal } from "../domain/tenancy/secrets.ts";
import { startSecondFactor } from "../domain/users/second-factors.ts";
import { codeOf, fromBase32, stepAt } from "../domain/users/totp.ts";
import { resetUser } from "../domain/users/users.ts";
import { createSecretBox, SECRET_KEY_BYTES } from "../platform/secret-box.ts";
import { type DashboardService, openDashboardService, PASSWORD, type SignedIn } from "../testing/dashboard-service.ts";
import { pepper } from "../testing/in-memory-service.ts";

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;

let dashboard: DashboardService;
let ann: SignedIn;
beforeEach(async () => {
  dashboard = await openDashboardService();
  ann = await dashboard.signIn("ann@example.com");
});
afterEach(() => dashboard.close());

const show = async (as = ann) => (await dashboard.ask("GET", "/account/second-factor", { as })).body;
const start = (current = PASSWORD, as = ann) =>
  dashboard.ask("POST", "/account/second-factor/start", { as, body: { current } });
const confirm = (code: string, as = ann) =>
  dashboard.ask("POST", "/account/second-factor/confirm", { as, body: { code } });
const remove = (code: string, current = PASSWORD, as = ann) =>
  dashboard.ask("POST", "/account/second-factor/remove", { as, body: { current, code } });
const renew = (code: string, current = PASSWORD) =>
  dashboard.ask("POST", "/account/second-factor/recovery-codes", { as: ann, body: { current, code } });
const setPolicy = (secondFactor: string, as = ann) =>
  dashboard.ask("POST", "/users/second-factor", { as, body: { secondFactor } });
const showSession = (as = ann) => dashboard.ask("GET", "/session", { as });
const listMessages = (as = ann) => dashboard.ask("GET", "/v1/consents", { as });

interface Attempt {
  readonly email?: string;
  readonly password?: string;
  readonly from?: string;
  readonly device?: string;
}

/** Signs in, by default as Ann from a browser that is not known. */
async function signIn(code?: string, { email = ann.email, password = PASSWORD, from, device }: Attempt = {}) {
  const reply = await dashboard.service.app.inject({
    method: "POST",
    url: "/dashboard/api/session",
    headers: { host: "msgd.example", ...(device === undefined ? {} : { cookie: `__Host-msgd-device=${device}` }) },
    payload: { email, password, ...(code === undefined ? {} : { code }) },
    ...(from === undefined ? {} : { remoteAddress: from }),
  });
  const cookies = Object.fromEntries(reply.cookies.map(({ name, value }) => [name, value]));
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers, cookies };
}

/** Returns the code that the app shows now, or `steps` steps later. */
const codeAt = (secret: string, steps = 0) => codeOf(fromBase32(secret), stepAt(dashboard.service.clock.now()) + steps);

const nextStep = () => dashboard.service.clock.advanceBy(STEP_MS);

interface TurnedOn {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Turns a second factor on. The clock is then in the next step. */
async function turnOn(as = ann): Promise<TurnedOn> {
  const { secret } = (await start(PASSWORD, as)).body;
  const { status, body } = await confirm(codeAt(secret), as);
  expect(status).toBe(200);
  await nextStep();
  return { secret, recoveryCodes: body.recoveryCodes };
}

async function listEntries() {
  const { store, credential } = dashboard.service;
  const page = { tenantId: credential.tenantId, before: 1e9, limit: 100 };
  const entries = await store.read((tx) => listAuditEntries(tx, page));
  return entries.reverse().map(({ email, operation, target }) => `${email} ${operation} ${target}`);
}

describe("turning it on", () => {
  it("needs the password, then a code of the new secret, and returns ten recovery codes", async () => {
    expect(await show()).toEqual({ since: null, recoveryCodesLeft: 0, policy: "optional" });
    const wrong = await start("wrong");
    expect([wrong.status, wrong.body.errors]).toEqual([400, [expect.objectContaining({ pointer: "/current" })]]);
    const { status, headers, body } = await start();
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.link).toBe(`otpauth://totp/msgd:ann%40example.com?secret=${body.secret}&issuer=msgd`);
    const refused = await confirm(codeAt(body.secret, 2));
    expect(refused.body).toMatchObject({ status: 400, errors: [{ pointer: "/code" }] });
    // it has no effect before a code has proven that the app has the secret
    expect((await signIn()).status).toBe(200);
    const confirmed = await confirm(` ${codeAt(body.secret).replace(/^.../, "$& ")}`);
    expect([confirmed.status, confirmed.headers["cache-control"]]).toEqual([200, "no-store"]);
    const { recoveryCodes } = confirmed.body;
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/);
    expect(await show()).toMatchObject({ since: expect.stringMatching(/^2026-/), recoveryCodesLeft: 10 });
    expect((await start()).body).toMatchObject({ status: 409, code: "illegal_transition" });
    expect((await confirm(codeAt(body.secret, 1))).status).toBe(409);
  });

  it("stores no secret and no code in clear text, and logs none", async () => {
    const { secret, recoveryCodes } = await turnOn();
    const rows = await dashboard.service.store.read(async (tx) => [
      await tx.all("SELECT * FROM second_factors"),
      await tx.all("SELECT * FROM recovery_codes"),
    ]);
    expect(rows.map((each) => (each as unknown[]).length)).toEqual([1, 10]);
    const texts = JSON.stringify([rows, dashboard.logged, await listEntries()]);
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace("-", ""))]) {
      expect(texts).not.toContain(text);
    }
  });

  it("names the host of the public URL in the link, because people have several accounts in their app", async () => {
    await dashboard.close();
    dashboard = await openDashboardService({ publicUrl: "https://msg.example.com:8443" });
    ann = await dashboard.signIn("ann@example.com");
    expect((await start()).body.link).toMatch(/issuer=msgd%20msg\.example\.com$/);
  });

  it("ends the user's other sessions", async () => {
    const other = { ...ann, token: (await signIn()).body.token };
    const { secret } = (await start()).body;
    await confirm(codeAt(secret));
    expect([(await showSession()).status, (await showSession(other)).status]).toEqual([200, 401]);
  });

  it("has to be confirmed within a quarter of an hour, with a code of the latest secret", async () => {
    const first = (await start()).body.secret;
    const second = (await start()).body.secret;
    expect((await confirm(codeAt(first))).status).toBe(400);
    await dashboard.service.clock.advanceBy(15 * MINUTE_MS - 1);
    const back = { ...ann, token: (await signIn()).body.token };
    await dashboard.service.clock.advanceBy(1);
    const late = await confirm(codeAt(second), back);
    expect(late.body).toMatchObject({ status: 409, detail: expect.stringContaining("begin again") });
    expect((await confirm("000000", await dashboard.signIn("bob@example.com"))).status).toBe(409);
  });

  it("allows thirty failures of a session in a quarter of an hour, which lock nobody out elsewhere", async () => {
    const { secret } = (await start()).body;
    for (let failures = 0; failures < 30; failures += 1) expect((await confirm("x")).status).toBe(400);
    const limited = await confirm(codeAt(secret));
    expect(limited.body).toMatchObject({ status: 429, code: "rate_limited" });
    expect(Number(limited.headers["retry-after"])).toBe(15 * 60);
    expect((await start()).status).toBe(429);
    expect((await signIn()).status).toBe(200);
  });
});

it("thirty wrong codes are allowed even if they arrive at once", async () => {
  await start();
  const replies = await Promise.all(Array.from({ length: 60 }, () => confirm("x")));
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(30);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(30);
});

describe("a sign-in", () => {
  it("asks for a code only if the password is right", async () => {
    await turnOn();
    const asked = await signIn();
    expect(asked.body).toMatchObject({ status: 400, code: "validation_error", errors: [{ pointer: "/code" }] });
    expect(asked.cookies).toEqual({});
    const wrong = [
      await signIn(undefined, { password: "wrong password" }),
      await signIn("123456", { password: "wrong password" }),
      await signIn("123456", { email: "nobody@example.com" }),
    ];
    const told = wrong.map(({ status, body: { code, detail, errors } }) => ({ status, code, detail, errors }));
    const detail = "The address or the password is wrong.";
    expect(told).toEqual(wrong.map(() => ({ status: 401, code: "credentials_invalid", detail, errors: undefined })));
  });

  it("accepts a code of the present step or a neighbour, once, and none of an earlier step afterwards", async () => {
    const { secret } = await turnOn();
    const refused = await signIn(codeAt(secret, 2));
    expect(refused.body).toMatchObject({ status: 401, code: "credentials_invalid", errors: [{ pointer: "/code" }] });
    await dashboard.service.clock.advanceBy(2 * STEP_MS);
    expect((await signIn(codeAt(secret, -2))).status).toBe(401);
    expect((await signIn(codeAt(secret, -1))).status).toBe(200);
    expect((await signIn(codeAt(secret, -1))).status).toBe(401);
    expect((await signIn(codeAt(secret, 1))).status).toBe(200);
    for (const steps of [-1, 0, 1]) expect((await signIn(codeAt(secret, steps))).status).toBe(401);
    await nextStep();
    expect((await signIn(codeAt(secret, 1))).status).toBe(200);
  });

  it("refuses the code with which it was turned on", async () => {
    const { secret } = await turnOn();
    expect((await signIn(codeAt(secret, -1))).status).toBe(401);
    expect((await signIn(codeAt(secret))).status).toBe(200);
  });

  it("accepts a code once even if it arrives several times at once", async () => {
    const { secret } = await turnOn();
    const code = codeAt(secret);
    const attempts = [1, 2, 3, 4].map((host) => signIn(code, { from: `198.51.100.${host}` }));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 401, 401, 401]);
  });

  it("accepts each recovery code once, with or without the hyphen and in upper case", async () => {
    const { recoveryCodes } = await turnOn();
    const [first = "", second = ""] = recoveryCodes;
    expect((await signIn(first)).status).toBe(200);
    expect((await signIn(first)).status).toBe(401);
    expect((await signIn(` ${second.replace("-", " ").toUpperCase()} `)).status).toBe(200);
    expect((await signIn("00000-00000")).status).toBe(401);
    expect((await show()).recoveryCodesLeft).toBe(8);
  });

  it("is limited to ten wrong codes from unknown browsers in a quarter of an hour, in any network", async () => {
    const { secret } = await turnOn();
    const device = (await signIn(codeAt(secret))).cookies["__Host-msgd-device"] ?? "";
    await nextStep();
    for (let failures = 0; failures < 10; failures += 1) {
      expect((await signIn("x", { from: `198.51.100.${failures}` })).status).toBe(401);
    }
    const limited = await signIn(codeAt(secret), { from: "9.9.9.9" });
    expect([limited.status, limited.headers["retry-after"]]).toEqual([429, "900"]);
    // the limit is not visible without the password
    expect((await signIn("x", { from: "9.9.9.9", password: "wrong password" })).status).toBe(401);
    // the owner's browser has its own limit
    expect((await signIn(codeAt(secret), { from: "9.9.9.9", device })).status).toBe(200);
  });

  it("counts a wrong code as a failed sign-in of the network or the known browser, and logs it as one", async () => {
    const { secret } = await turnOn();
    const device = (await signIn(codeAt(secret))).cookies["__Host-msgd-device"] ?? "";
    await nextStep();
    // a missing code is no failure
    await signIn(undefined, { device });
    for (let failures = 0; failures < 30; failures += 1) {
      expect((await signIn("x", { device, from: "192.0.2.1" })).status).toBe(401);
    }
    expect((await signIn(codeAt(secret), { device })).status).toBe(429);
    const refusals = dashboard.logged
      .map((line) => JSON.parse(line))
      .filter(({ event }) => event === "sign_in_refused");
    expect(refusals).toHaveLength(30);
    const from = "203.0.113.9";
    for (let failures = 0; failures < 29; failures += 1)
      await signIn("x", { from, email: `user${failures}@x.example` });
    expect((await signIn("x", { from })).status).toBe(401);
    expect((await signIn(codeAt(secret), { from })).status).toBe(429);
  });

  it("does not clear failures before the code is right", async () => {
    const { secret } = await turnOn();
    for (let failures = 0; failures < 9; failures += 1) {
      expect((await signIn("x")).status).toBe(401);
      expect((await signIn()).status).toBe(400);
    }
    expect((await signIn("x")).status).toBe(401);
    expect((await signIn(codeAt(secret))).status).toBe(429);
    await dashboard.service.clock.advanceBy(15 * MINUTE_MS);
    expect((await signIn(codeAt(secret))).status).toBe(200);
  });
});

describe("turning it off", () => {
  it("needs the password and a code that was not used, or a recovery code", async () => {
    const { secret, recoveryCodes } = await turnOn();
    expect((await remove(codeAt(secret), "wrong")).body.errors[0].pointer).toBe("/current");
    for (const code of ["x", codeAt(secret, -1)]) {
      expect((await remove(code)).body).toMatchObject({ status: 400, errors: [{ pointer: "/code" }] });
    }
    expect((await remove(codeAt(secret))).status).toBe(204);
    expect(await show()).toEqual({ since: null, recoveryCodesLeft: 0, policy: "optional" });
    expect((await signIn()).status).toBe(200);
    expect((await remove(codeAt(secret, 1))).body).toMatchObject({ status: 409, code: "illegal_transition" });
    const again = await turnOn();
    expect((await remove(recoveryCodes[0] ?? "")).status).toBe(400);
    expect((await remove(again.recoveryCodes[0] ?? "")).status).toBe(204);
  });

  it("happens when an admin or the operator resets the user", async () => {
    const bob = await dashboard.signIn("bob@example.com", { role: "viewer" });
    for (const reset of [
      () =>
        dashboard.ask("POST", `/users/${bob.userId}/reset`, { as: ann }).then(({ body }) => body.link.split("#")[1]),
      async () => {
        const { store, clock } = dashboard.service;
        return (await store.write((tx) => resetUser(tx, { email: bob.email, pepper, now: clock.now() }))).token;
      },
    ]) {
      const { body } = await signIn(undefined, { email: bob.email });
      await turnOn({ ...bob, token: body.token });
      expect((await signIn(undefined, { email: bob.email })).status).toBe(400);
      const link = await reset();
      await dashboard.ask("POST", "/password", { body: { link, password: PASSWORD } });
      expect((await signIn(undefined, { email: bob.email })).status).toBe(200);
      const left = await dashboard.service.store.read((tx) =>
        tx.all("SELECT user_id FROM recovery_codes UNION ALL SELECT user_id FROM second_factors"),
      );
      expect(left).toEqual([]);
    }
  });
});

it("recovery codes are replaced with the password and a code, and the earlier ones no longer work", async () => {
  const { secret, recoveryCodes } = await turnOn();
  expect((await renew(codeAt(secret), "wrong")).body.errors[0].pointer).toBe("/current");
  expect((await renew("x")).body.errors[0].pointer).toBe("/code");
  const renewed = (await renew(codeAt(secret))).body.recoveryCodes;
  expect(new Set([...renewed, ...recoveryCodes]).size).toBe(20);
  expect((await signIn(recoveryCodes[0])).status).toBe(401);
  expect((await signIn(renewed[0])).status).toBe(200);
});

describe("a tenant that requires it", () => {
  /** Requires it. Ann has one. */
  async function requireIt(): Promise<TurnedOn> {
    const turnedOn = await turnOn();
    expect((await setPolicy("required")).status).toBe(204);
    await dashboard.service.clock.advanceBy(1_000);
    return turnedOn;
  }

  it("lets a user without one only set one up, also in sessions that began before", async () => {
    const bob = await dashboard.signIn("bob@example.com", { role: "agent" });
    expect((await listMessages(bob)).status).toBe(200);
    await requireIt();
    for (const as of [bob, { ...bob, token: (await signIn(undefined, { email: bob.email })).body.token }]) {
      expect((await showSession(as)).body).toMatchObject({ email: bob.email, needsSecondFactor: true });
      for (const path of ["/v1/consents", "/permissions", "/account/sessions", "/notices"]) {
        const { body } = await dashboard.ask("GET", path, { as });
        expect([path, body.code, body.detail]).toEqual([
          ...[path, "merchant_scope_denied", expect.stringContaining("requires a second factor")],
        ]);
      }
      expect(await show(as)).toMatchObject({ since: null, policy: "required" });
    }
    await turnOn(bob);
    expect((await showSession(bob)).body.needsSecondFactor).toBe(false);
    expect((await listMessages(bob)).status).toBe(200);
  });

  it("limits a user who turns it off, immediately", async () => {
    const { recoveryCodes } = await requireIt();
    expect((await listMessages()).status).toBe(200);
    expect((await remove(recoveryCodes[0] ?? "")).status).toBe(204);
    expect((await listMessages()).status).toBe(403);
  });

  it("is set by an admin of the whole tenant who has one, and affects no other tenant", async () => {
    expect((await setPolicy("required")).body).toMatchObject({ status: 409, code: "illegal_transition" });
    const agent = await dashboard.signIn("agent@example.com", { role: "agent" });
    expect((await setPolicy("required", agent)).status).toBe(403);
    const { service } = dashboard;
    await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First" } });
    const scoped = await dashboard.signIn("m1@example.com", { merchantId: "m1" });
    expect((await setPolicy("optional", scoped)).body.code).toBe("merchant_scope_denied");
    const { tenantId } = await service.issue({ tenant: "Other" });
    const other = await dashboard.signIn("other@example.com", { tenantId });
    await requireIt();
    expect((await listMessages(other)).status).toBe(200);
    expect((await listMessages(agent)).status).toBe(403);
    expect((await setPolicy("optional")).status).toBe(204);
    await service.clock.advanceBy(1_000);
    expect((await listMessages(agent)).status).toBe(200);
  });

  it("shows admins who has one, but no secret", async () => {
    await dashboard.signIn("bob@example.com", { role: "viewer" });
    const { secret } = await requireIt();
    const { body } = await dashboard.ask("GET", "/users", { as: ann });
    expect(body.secondFactor).toBe("required");
    expect(
      body.users.map((user: { email: string; hasSecondFactor: boolean }) => [user.email, user.hasSecondFactor]),
    ).toEqual([
      ["ann@example.com", true],
      ["bob@example.com", false],
    ]);
    expect(JSON.stringify(body)).not.toContain(secret);
  });
});

it("the audit has what was changed, and which sign-ins used a recovery code or were refused", async () => {
  const { secret, recoveryCodes } = await turnOn();
  await signIn("x");
  await signIn(recoveryCodes[0]);
  await setPolicy("required");
  await renew("x");
  await renew(codeAt(secret));
  await nextStep();
  await remove(codeAt(secret));
  expect(await listEntries()).toEqual([
    "ann@example.com setPassword from 127.0.0.1",
    "ann@example.com signIn from 127.0.0.1",
    "ann@example.com confirmSecondFactor from 127.0.0.1",
    "ann@example.com signIn refused: failure 1 in 15 minutes, with the right password and a wrong code, from 127.0.0.1",
    "ann@example.com signIn with a recovery code, 9 left, from 127.0.0.1",
    "ann@example.com setSecondFactorPolicy secondFactor required",
    "ann@example.com renewRecoveryCodes from 127.0.0.1",
    "ann@example.com removeSecondFactor from 127.0.0.1",
  ]);
});

describe("the secret", () => {
  const [unknown, newer] = [7, 8].map((byte) => Buffer.alloc(SECRET_KEY_BYTES, byte)) as [Buffer, Buffer];
  const old = Buffer.alloc(SECRET_KEY_BYTES, "for memory only");
  const rows = () =>
    dashboard.service.store.read((tx) =>
      tx.all<{ sealed: string }>("SELECT sealed_secret AS sealed FROM second_factors"),
    );

  it("is resealed with a new key, and then opens with it", async () => {
    await turnOn();
    const { store, clock } = dashboard.service;
    const box = createSecretBox(() => [newer, old]);
    expect(await reseal((work) => store.write(work), { box, now: clock.now() })).toEqual({ count: 1, unopened: [] });
    const [row] = await rows();
    expect(row?.sealed.startsWith(createSecretBox(() => [newer]).findPrefix() ?? "-")).toBe(true);
    // this server has the old key only
    const refused = await signIn("123456");
    expect(refused.body).toMatchObject({ status: 503, code: "unavailable" });
    expect(refused.body.detail).toContain("MSGD_SECRET_KEY");
    await reseal((work) => store.write(work), { box: createSecretBox(() => [old, newer]), now: clock.now() });
    expect((await signIn("x")).status).toBe(401);
  });

  it("that cannot be opened is reported by a reseal, and recovery codes still work", async () => {
    const { recoveryCodes } = await turnOn();
    const { store, clock } = dashboard.service;
    const box = createSecretBox(() => [newer, unknown]);
    const { unopened } = await reseal((work) => store.write(work), { box, now: clock.now() });
    expect(unopened).toEqual([expect.stringContaining(`the second factor of user ${ann.userId}: a secret was sealed`)]);
    await store.write((tx) =>
      tx.run("UPDATE second_factors SET sealed_secret = 'v1.00000000.' || substr(sealed_secret, 13)"),
    );
    expect((await signIn("123456")).status).toBe(503);
    expect((await signIn(recoveryCodes[0])).status).toBe(200);
  });

  it("cannot be stored without a secret key", async () => {
    const { store, clock } = dashboard.service;
    const given = { userId: ann.userId, secret: "MZXW6YTBOI", box: createSecretBox(() => []), now: clock.now() };
    await expect(store.write((tx) => startSecondFactor(tx, given))).rejects.toMatchObject({
      ...{ code: "unavailable", message: expect.stringContaining("the operator must set MSGD_SECRET_KEY") },
    });
  });

  it("of another user cannot be opened", async () => {
    const { secret } = await turnOn();
    const bob = await dashboard.signIn("bob@example.com");
    await turnOn(bob);
    await dashboard.service.store.write((tx) =>
      tx.run(
        "UPDATE second_factors SET sealed_secret = (SELECT sealed_secret FROM second_factors WHERE user_id = $1)",
        bob.userId,
      ),
    );
    expect((await signIn(codeAt(secret))).status).toBe(503);
  });
});
