import { readFileSync } from "node:fs";
import type { InjectOptions } from "fastify";
import { SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRecipientDigest } from "../domain/contacts.ts";
import { listAuditEntries, listAuditEntriesAbout } from "../domain/tenancy/rows.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import type { TenantRole } from "../domain/users/rules.ts";
import { createUser, disableUser, resetUser } from "../domain/users/users.ts";
import type { InProcessOptions } from "../in-process.ts";
import { defaultPasswordCost } from "../platform/password-hashes.ts";
import { listAsked } from "../testing/audit-entries.ts";
import { placeholderPages } from "../testing/dashboard-service.ts";
import { type InMemoryService, openInMemoryService, pepper } from "../testing/in-memory-service.ts";

const PASSWORD = "correct horse battery staple";
const EMAIL = "ann@example.com";
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let service: InMemoryService;
let logged: string[];
beforeEach(async () => {
  logged = [];
  await open();
});
afterEach(() => service.close());

async function open(options: InProcessOptions = {}): Promise<void> {
  service = await openInMemoryService({
    dashboardFiles: placeholderPages(),
    log: (line) => logged.push(line),
    ...options,
  });
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First", smsLimit: 100 } });
}

/** Reopens the service with other options. */
async function reopen(options: InProcessOptions): Promise<void> {
  await service.close();
  await open(options);
}

interface AskOptions {
  readonly token?: string;
  readonly cookie?: string;
  /** Cookie of a browser in which a user has signed in before. */
  readonly device?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly from?: string;
}

function ask(
  method: "GET" | "POST" | "DELETE",
  url: string,
  { token, cookie, device, headers, body, from }: AskOptions = {},
) {
  const options: InjectOptions = {
    method,
    url,
    ...(from === undefined ? {} : { remoteAddress: from }),
    headers: {
      host: "msgd.example",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cookie === undefined ? {} : { cookie: `__Host-msgd-session=${cookie}` }),
      ...(device === undefined ? {} : { cookie: `__Host-msgd-device=${device}` }),
      ...headers,
    },
  };
  if (body !== undefined) options.payload = body;
  return service.app.inject(options);
}

const invite = (email: string, { role = "admin", merchantId = null, tenantId }: Invitation = {}) =>
  service.store.write(async (tx) => {
    const of = { tenantId: tenantId ?? service.credential.tenantId, merchantId, email, role };
    return (await createUser(tx, { ...of, pepper, now: service.clock.now() })).token;
  });

interface Invitation {
  readonly role?: TenantRole;
  readonly merchantId?: string | null;
  readonly tenantId?: number;
}

/** Creates a user with a password. */
async function addUser(email: string, invitation: Invitation = {}): Promise<void> {
  const link = await invite(email, invitation);
  const reply = await ask("POST", "/dashboard/api/password", { body: { link, password: PASSWORD } });
  expect(reply.json()).toEqual({ email });
}

function trySignIn(email = EMAIL, password = PASSWORD, options: AskOptions = {}) {
  return ask("POST", "/dashboard/api/session", { body: { email, password }, ...options });
}

type Reply = Awaited<ReturnType<typeof ask>>;

const deviceOf = (reply: Reply) => reply.cookies.find(({ name }) => name === "__Host-msgd-device")?.value ?? "";
const cookieOf = (reply: Reply) => reply.cookies.find(({ name }) => name === "__Host-msgd-session");

async function signIn(email = EMAIL, password = PASSWORD) {
  const reply = await trySignIn(email, password);
  expect(reply.statusCode).toBe(200);
  return { token: reply.json().token as string, cookie: cookieOf(reply)?.value ?? "" };
}

const refresh = (cookie: string | undefined, headers: Record<string, string> = {}) =>
  ask("POST", "/dashboard/api/session/refresh", { ...(cookie === undefined ? {} : { cookie }), headers });

const showSession = (token: string) => ask("GET", "/dashboard/api/session", { token });

async function expectRefused(reply: Reply | Promise<Reply>, code: string): Promise<Reply> {
  const refused = await reply;
  expect(refused.json()).toMatchObject({ code });
  return refused;
}

describe("without a session", () => {
  it("a browser can read only the pages", async () => {
    expect((await ask("GET", "/dashboard")).statusCode).toBe(200);
    expect((await ask("GET", "/", { headers: { accept: "text/html" } })).headers.location).toBe("/dashboard");
    for (const path of ["/dashboard/api/session", "/dashboard/api/requests", "/dashboard/api/v1/merchants"]) {
      const { headers } = await expectRefused(ask("GET", path), "credentials_missing");
      expect(headers["www-authenticate"]).toBe('Bearer realm="msgd"');
    }
    const { apiKey, apiSecret } = service.credential;
    const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
    await expectRefused(ask("GET", "/dashboard/api/v1/merchants", { headers }), "credentials_missing");
    await expectRefused(
      ask("GET", "/dashboard/api/session", { headers: { "x-dashboard-tenant": "1" } }),
      "credentials_missing",
    );
  });

  it.each(["", "x", "a.b.c"])("the token %j is refused", async (token) => {
    const reply = await showSession(token);
    expect(reply.statusCode).toBe(401);
  });

  it("a token that is signed with another key, unsigned or invented is refused", async () => {
    await addUser(EMAIL);
    const { token } = await signIn();
    const [header, payload = "", signature] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.alloc(32, pepper));
    for (const bad of [`${none}.${payload}.`, `${none}.${payload}.x`, `${header}.${payload}.${signature}x`, forged]) {
      expect((await showSession(bad)).statusCode).toBe(401);
    }
  });
});

describe("a link", () => {
  it("sets a password once, and the reply says what is wrong with an invalid password", async () => {
    const link = await invite(EMAIL);
    const set = (password: string) => ask("POST", "/dashboard/api/password", { body: { link, password } });
    const refused = await set("short");
    expect(refused.json()).toMatchObject({ code: "validation_error", errors: [{ pointer: "/password" }] });
    expect((await set(PASSWORD)).statusCode).toBe(200);
    await expectRefused(set(PASSWORD), "credentials_invalid");
    await signIn();
  });

  it("is refused if it was not made by the server or has expired", async () => {
    const link = await invite(EMAIL);
    const set = (text: string) => ask("POST", "/dashboard/api/password", { body: { link: text, password: PASSWORD } });
    for (const text of ["", "x".repeat(43)]) await expectRefused(set(text), "credentials_invalid");
    await service.clock.advanceBy(24 * HOUR_MS);
    await expectRefused(set(link), "credentials_invalid");
  });

  it("ends earlier sessions and invalidates the earlier password", async () => {
    await addUser(EMAIL);
    const { token } = await signIn();
    const { token: link } = await service.store.write((tx) =>
      resetUser(tx, { email: EMAIL, pepper, now: service.clock.now() }),
    );
    await expectRefused(trySignIn(), "credentials_invalid");
    await service.clock.advanceBy(1_000);
    await expectRefused(showSession(token), "credentials_invalid");
    const body = { link, password: "another long password" };
    expect((await ask("POST", "/dashboard/api/password", { body })).statusCode).toBe(200);
    await expectRefused(trySignIn(), "credentials_invalid");
    await signIn(EMAIL, "another long password");
  });
});

describe("signing in", () => {
  beforeEach(() => addUser(EMAIL));

  /** Fails thirty times. */
  async function fail(attempt: (failures: number) => Promise<Reply>): Promise<void> {
    for (let failures = 0; failures < 30; failures += 1) await expectRefused(attempt(failures), "credentials_invalid");
  }

  /** Fails a hundred times from four networks, none of which reaches its own limit. */
  async function failFromFour(
    spell: (failures: number) => string = () => EMAIL,
    network = "198.51.100",
  ): Promise<void> {
    for (let failures = 0; failures < 100; failures += 1) {
      const from = `${network}.${failures % 4}`;
      await expectRefused(trySignIn(spell(failures), "x", { from }), "credentials_invalid");
    }
  }

  it("begins a session, whose token is valid for a quarter of an hour", async () => {
    const { token } = await signIn();
    expect((await showSession(token)).json()).toMatchObject({
      ...{ email: EMAIL, role: "admin", merchantId: null, isDevelopment: false },
      tenant: { tenantId: String(service.credential.tenantId) },
      tenants: [{ tenantId: String(service.credential.tenantId) }],
    });
    await service.clock.advanceBy(15 * MINUTE_MS);
    await expectRefused(showSession(token), "credentials_invalid");
  });

  it("hides the cookie from scripts, other sites and plain http", async () => {
    expect(cookieOf(await trySignIn())).toMatchObject({
      ...{ httpOnly: true, secure: true, sameSite: "Strict", path: "/", maxAge: 7 * 24 * 3_600 },
    });
  });

  it("accepts different spellings of the address and the password", async () => {
    await signIn(" ANN@Example.com ");
    const { token: link } = await service.store.write((tx) =>
      resetUser(tx, { email: EMAIL, pepper, now: service.clock.now() }),
    );
    await ask("POST", "/dashboard/api/password", { body: { link, password: "pa\u0301sswo\u0301rd of mine" } });
    await signIn(EMAIL, "p\u00e1ssw\u00f3rd of mine");
  });

  it("gets the same answer whether there is an account or not", async () => {
    await addUser("off@example.com");
    await service.store.write((tx) => disableUser(tx, { email: "off@example.com", now: service.clock.now() }));
    await invite("new@example.com");
    const replies = [
      await trySignIn(EMAIL, "wrong password"),
      await trySignIn("nobody@example.com"),
      await trySignIn("no address"),
      await trySignIn("off@example.com"),
      await trySignIn("new@example.com", ""),
    ];
    const said = replies.map((reply) => [reply.statusCode, reply.json().code, reply.json().detail, cookieOf(reply)]);
    expect(new Set(said.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(said[0]).toEqual([401, "credentials_invalid", "The address or the password is wrong.", undefined]);
  });

  it("is refused from an address after 30 failures, for a quarter of an hour, and accepted from others", async () => {
    await fail((failures) => trySignIn(`user${failures}@example.com`, "x", { from: "8.8.4.4" }));
    const refused = await expectRefused(trySignIn(EMAIL, PASSWORD, { from: "::ffff:8.8.4.4" }), "rate_limited");
    expect(Number(refused.headers["retry-after"])).toBe(15 * 60);
    expect((await trySignIn(EMAIL, PASSWORD, { from: "9.9.9.9" })).statusCode).toBe(200);
    await service.clock.advanceBy(15 * MINUTE_MS);
    expect((await trySignIn(EMAIL, PASSWORD, { from: "8.8.4.4" })).statusCode).toBe(200);
  });

  it("ignores failures that were recorded while the clock was ahead", async () => {
    await service.clock.advanceBy(24 * HOUR_MS);
    await fail((failures) => trySignIn(`user${failures}@example.com`, "x", { from: "8.8.4.4" }));
    service.clock.returnToBase();
    expect((await trySignIn(EMAIL, PASSWORD, { from: "8.8.4.4" })).statusCode).toBe(200);
    await fail((failures) => trySignIn(`user${failures}@example.com`, "x", { from: "8.8.4.4" }));
    await expectRefused(trySignIn(EMAIL, PASSWORD, { from: "8.8.4.4" }), "rate_limited");
  });

  it("while the clock is ahead begins a session that ends when the clock is set back", async () => {
    await service.clock.advanceBy(24 * HOUR_MS);
    const { token, cookie } = await signIn();
    service.clock.returnToBase();
    await expectRefused(showSession(token), "credentials_invalid");
    await expectRefused(refresh(cookie), "credentials_invalid");
  });

  it("counts failures per account however its address is spelled, and ignores invalid addresses", async () => {
    const spellings = [" ann@example.com", "ANN@example.com", "ann@\uff45xample.com", "ann@EXAMPLE\u3002com"];
    await failFromFour((failures) => spellings[Math.floor(failures / 25)] ?? "");
    for (const spelling of [EMAIL, ...spellings]) {
      await expectRefused(trySignIn(spelling, PASSWORD, { from: "9.9.9.9" }), "rate_limited");
    }
    await expectRefused(trySignIn("ann", PASSWORD, { from: "9.9.9.9" }), "credentials_invalid");
  });

  describe("behind a proxy", () => {
    const from = (address: string, forwarded: string) =>
      trySignIn("bob@example.com", "x", { from: address, headers: { "x-forwarded-for": forwarded } });

    it("counts for the address, without port, that a trusted proxy reports, not for one that the client claims", async () => {
      await reopen({ trustedProxies: ["10.0.0.0/8", "fd00::/8"] });
      await fail((failures) => from("10.0.0.1", `1.2.3.${failures}, 8.8.8.8:${40_000 + failures}`));
      await expectRefused(from("10.0.0.1", "9.9.9.9, 8.8.8.8"), "rate_limited");
      await expectRefused(from("fd00::1", "8.8.8.8, 10.0.0.2:443"), "rate_limited");
      await expectRefused(from("10.0.0.1", "8.8.8.8, 9.9.9.9"), "credentials_invalid");
      await fail((failures) => from("10.0.0.1", `[2001:db8::${failures}]:443`));
      await expectRefused(from("10.0.0.1", "2001:db8::ffff"), "rate_limited");
      await fail((failures) => from("8.8.4.4", `9.9.9.${failures}`));
      await expectRefused(from("8.8.4.4", "7.7.7.7"), "rate_limited");
      expect(logged.join("")).toContain("not a trusted proxy");
    });

    it("counts for the proxy's own address if the proxy is not trusted, and logs one warning", async () => {
      await fail((failures) => from("10.0.0.1", `8.8.8.${failures}`));
      await expectRefused(from("10.0.0.1", "9.9.9.9"), "rate_limited");
      const warnings = logged.filter((line) => line.includes("X-Forwarded-For"));
      expect(warnings).toEqual([expect.stringMatching(/"level":40.*"peer":"10\.0\.0\.1".*MSGD_TRUSTED_PROXIES/)]);
    });

    it("is allowed from pages of the public URL, whatever Host header the proxy sends", async () => {
      await reopen({ publicUrl: "https://msg.example.com" });
      const statusOf = async (origin: string) =>
        (await trySignIn("bob@example.com", "x", { headers: { host: "msgd:4800", origin } })).statusCode;
      expect(await statusOf("https://msg.example.com")).toBe(401);
      for (const origin of ["http://msg.example.com", "https://msg.example.com:8443", "https://evil.example"]) {
        expect(await statusOf(origin), origin).toBe(403);
      }
    });
  });

  it("is logged with the client's address for fail2ban each time it is refused", async () => {
    await fail(() => trySignIn(EMAIL, "x", { from: "203.0.113.9" }));
    await expectRefused(trySignIn(EMAIL, "x", { from: "203.0.113.9" }), "rate_limited");
    const refusals = logged.filter((line) => line.includes("a sign-in was refused"));
    expect(refusals.map((line) => JSON.parse(line)).map(({ level, address }) => [level, address])).toEqual([
      ...Array.from({ length: 30 }, () => [40, "203.0.113.9"]),
      [30, "203.0.113.9"],
    ]);
    const { groups } = readFail2banExpression().exec(refusals[0] ?? "") ?? {};
    expect(groups).toMatchObject({ host: "203.0.113.9" });
  });

  it("is accepted while others try from elsewhere, and while many try from one network", async () => {
    const strangers = [
      ...Array.from({ length: 40 }, (_none, index) => `198.51.100.${index}`),
      ...Array.from({ length: 40 }, () => "192.0.2.1"),
      ...Array.from({ length: 40 }, (_none, index) => `2001:db8:1:${index}::1`),
    ].map((from) => trySignIn(EMAIL, "x", { from }));
    const owner = trySignIn(EMAIL, PASSWORD, { from: "9.9.9.9" });
    expect((await owner).statusCode).toBe(200);
    const outcomes = (await Promise.all(strangers)).map(({ statusCode, headers }) => [
      statusCode,
      headers["retry-after"],
    ]);
    expect(outcomes.slice(0, 40)).toEqual(Array.from({ length: 40 }, () => [401, undefined]));
    // each network or IPv6 site has one running attempt and one queued
    for (const crowd of [outcomes.slice(40, 80), outcomes.slice(80)]) {
      expect(crowd).toContainEqual([401, undefined]);
      expect(crowd).toContainEqual([503, "5"]);
    }
  });

  it("counts attempts against the limit even if they waited in the queue", async () => {
    for (let failures = 0; failures < 98; failures += 1) {
      await expectRefused(trySignIn(EMAIL, "x", { from: `198.51.100.${failures % 4}` }), "credentials_invalid");
    }
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_none, index) => trySignIn(EMAIL, "x", { from: `192.0.2.${index}` })),
    );
    const tried = replies.filter(({ statusCode }) => statusCode === 401).length;
    // two attempts run at a time
    expect([2, 3]).toContain(tried);
    expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(40 - tried);
  });

  describe("in a browser in which its user has signed in before", () => {
    it("is accepted despite the failures of strangers, in any network", async () => {
      const device = deviceOf(await trySignIn());
      await failFromFour();
      await fail((failures) => trySignIn(`user${failures}@example.com`, "x", { from: "9.9.9.9" }));
      await expectRefused(trySignIn(EMAIL, PASSWORD, { from: "8.8.4.4" }), "rate_limited");
      await expectRefused(trySignIn(EMAIL, PASSWORD, { from: "8.8.4.4", device: `${device}x` }), "rate_limited");
      expect((await trySignIn(EMAIL, PASSWORD, { from: "9.9.9.9", device })).statusCode).toBe(200);
    });

    it("is accepted after the password has been changed in it", async () => {
      const body = { current: PASSWORD, password: "a new and longer passphrase" };
      const { token } = await signIn();
      const device = deviceOf(await ask("POST", "/dashboard/api/account/password", { token, body }));
      await failFromFour();
      await expectRefused(trySignIn(EMAIL, body.password, { from: "8.8.4.4" }), "rate_limited");
      expect((await trySignIn(EMAIL, body.password, { from: "8.8.4.4", device })).statusCode).toBe(200);
    });

    it("does not wait behind strangers, and is accepted if their queue is full", async () => {
      await reopen({ passwordCost: defaultPasswordCost });
      await addUser(EMAIL);
      const device = deviceOf(await trySignIn());
      const strangers = Array.from({ length: 400 }, (_none, index) =>
        trySignIn(EMAIL, "x", { from: `198.51.${index % 200}.${Math.floor(index / 200)}` }),
      );
      const refused = await Promise.any(
        strangers.map(async (stranger) => {
          const reply = await stranger;
          if (reply.statusCode !== 503) throw new Error("it found room");
          return reply;
        }),
      );
      expect(refused.headers["retry-after"]).toBe("5");
      expect((await trySignIn(EMAIL, PASSWORD, { from: "9.9.9.9", device })).statusCode).toBe(200);
      // cancels the queued attempts
      await service.close();
      await Promise.all(strangers);
      await open();
    });

    it("has a separate limit, as high as a network's, that affects nobody else", async () => {
      const device = deviceOf(await trySignIn());
      await fail((failures) => trySignIn(EMAIL, "x", { from: `198.51.100.${failures}`, device }));
      await expectRefused(trySignIn(EMAIL, PASSWORD, { from: "9.9.9.9", device }), "rate_limited");
      expect((await trySignIn(EMAIL, PASSWORD, { from: "198.51.100.1" })).statusCode).toBe(200);
    });

    it("counts as a stranger's attempt for other users, and after a change of the password", async () => {
      await addUser("bob@example.com");
      const device = deviceOf(await trySignIn());
      const bobs = deviceOf(await trySignIn("bob@example.com"));
      const { token: link } = await service.store.write((tx) =>
        resetUser(tx, { email: EMAIL, pepper, now: service.clock.now() }),
      );
      await ask("POST", "/dashboard/api/password", { body: { link, password: "another long password" } });
      await failFromFour();
      for (const other of [device, bobs]) {
        const attempt = trySignIn(EMAIL, "another long password", { from: "9.9.9.9", device: other });
        await expectRefused(attempt, "rate_limited");
      }
    });

    it("sets a device cookie for half a year, hidden from scripts and other sites", async () => {
      const cookie = (await trySignIn()).cookies.find(({ name }) => name === "__Host-msgd-device");
      expect(cookie).toMatchObject({
        httpOnly: true,
        secure: true,
        sameSite: "Strict",
        path: "/",
        maxAge: 180 * 86_400,
      });
    });
  });

  it("is possible after a password was set by a link, however many attempts failed before", async () => {
    await failFromFour();
    const { token: link } = await service.store.write((tx) =>
      resetUser(tx, { email: EMAIL, pepper, now: service.clock.now() }),
    );
    await expectRefused(trySignIn(EMAIL, PASSWORD, { from: "9.9.9.9" }), "rate_limited");
    const reply = await ask("POST", "/dashboard/api/password", { body: { link, password: PASSWORD }, from: "9.9.9.9" });
    expect((await trySignIn(EMAIL, PASSWORD, { from: "9.9.9.9" })).statusCode).toBe(200);
    await failFromFour(undefined, "192.0.2");
    expect((await trySignIn(EMAIL, PASSWORD, { from: "9.9.9.9", device: deviceOf(reply) })).statusCode).toBe(200);
  });

  it("ends the user's oldest session if there are too many", async () => {
    const { token } = await signIn();
    for (let sessions = 0; sessions < 20; sessions += 1) {
      await service.clock.advanceBy(1);
      await signIn();
    }
    await service.clock.advanceBy(1_000);
    await expectRefused(showSession(token), "credentials_invalid");
  });
});

describe("a session", () => {
  let token: string;
  let cookie: string;
  beforeEach(async () => {
    await addUser(EMAIL);
    ({ token, cookie } = await signIn());
  });

  it("is refreshed by its cookie, which is replaced each time", async () => {
    await service.clock.advanceBy(20 * MINUTE_MS);
    const reply = await refresh(cookie);
    expect((await showSession(reply.json().token)).statusCode).toBe(200);
    const next = cookieOf(reply)?.value ?? "";
    expect(next).not.toBe(cookie);
    expect((await refresh(next)).statusCode).toBe(200);
  });

  it("continues if a reply was lost or several pages refresh at the same time, because all get the same cookie", async () => {
    const first = await refresh(cookie);
    await service.clock.advanceBy(29_999);
    const next = cookieOf(first)?.value ?? "";
    const replies = await Promise.all([cookie, cookie, next, cookie, next].map((each) => refresh(each)));
    expect(replies.map((reply) => cookieOf(reply)?.value)).toEqual(Array.from({ length: 5 }, () => next));
    expect((await showSession(replies[1]?.json().token)).statusCode).toBe(200);
    await service.clock.advanceBy(1);
    const after = cookieOf(await refresh(next))?.value ?? "";
    expect([cookie, next]).not.toContain(after);
    expect((await refresh(after)).statusCode).toBe(200);
    expect(logged.join("")).not.toContain("was used a second time");
  });

  it("ends at a sign-out with the previous cookie, in case the reply with the new cookie was lost", async () => {
    const next = cookieOf(await refresh(cookie))?.value;
    await ask("DELETE", "/dashboard/api/session", { cookie });
    await expectRefused(refresh(next), "credentials_invalid");
  });

  it("ends if a cookie is used again after 30 s, because it may be stolen", async () => {
    const thief = await refresh(cookie);
    await service.clock.advanceBy(30_000);
    const reply = await expectRefused(refresh(cookie), "credentials_invalid");
    expect(cookieOf(reply)).toMatchObject({ value: "" });
    await expectRefused(refresh(cookieOf(thief)?.value), "credentials_invalid");
    await service.clock.advanceBy(1_000);
    await expectRefused(showSession(thief.json().token), "credentials_invalid");
    expect(logged.find((line) => line.includes("was used a second time"))).toContain('"address":"127.0.0.1"');
    expect(logged.join("")).not.toContain(cookie.slice(23));
  });

  it("ends at a sign-out: immediately on this instance, and within a second on others", async () => {
    const reply = await ask("DELETE", "/dashboard/api/session", { cookie });
    expect([reply.statusCode, cookieOf(reply)?.value]).toEqual([204, ""]);
    await expectRefused(showSession(token), "credentials_invalid");
    await expectRefused(refresh(cookie), "credentials_invalid");
    expect((await ask("DELETE", "/dashboard/api/session")).statusCode).toBe(204);
  });

  it("ends after twelve hours without a refresh, and after a week in any case", async () => {
    await service.clock.advanceBy(12 * HOUR_MS);
    await expectRefused(refresh(cookie), "credentials_invalid");
    ({ cookie } = await signIn());
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      await service.clock.advanceBy(8 * HOUR_MS);
      cookie = cookieOf(await refresh(cookie))?.value ?? "";
    }
    await service.clock.advanceBy(8 * HOUR_MS);
    await expectRefused(refresh(cookie), "credentials_invalid");
  });

  it.each([undefined, "", "x", "a".repeat(22), `${"a".repeat(22)}.${"b".repeat(43)}`])(
    "does not exist for the cookie %j",
    async (other) => {
      expect((await refresh(other)).statusCode).toBe(401);
    },
  );

  it("cannot be ended by another user", async () => {
    await addUser("bob@example.com");
    const bob = await signIn("bob@example.com");
    await ask("DELETE", "/dashboard/api/session", { cookie: bob.cookie });
    expect((await showSession(token)).statusCode).toBe(200);
    // a session's id alone cannot end it
    const [sessionId] = cookie.split(".");
    await ask("DELETE", "/dashboard/api/session", { cookie: `${sessionId}.${"x".repeat(43)}` });
    expect((await refresh(cookie)).statusCode).toBe(200);
  });
});

describe("a rate limit", () => {
  it("applies to each user across all sessions, as it does to a key, and not to sign-ins", async () => {
    await reopen({ rateLimit: { perSecond: 1, burst: 3 } });
    await addUser(EMAIL);
    const { token, cookie } = await signIn();
    const other = (await signIn()).token;
    const replies = [];
    for (let asked = 0; asked < 4; asked += 1) replies.push(await showSession(token));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
    expect(replies[3]?.headers["retry-after"]).toBe("1");
    expect((await showSession(other)).statusCode).toBe(429);
    await addUser("bob@example.com");
    const bob = (await signIn("bob@example.com")).token;
    expect((await showSession(bob)).headers.ratelimit).toBe('"default";r=2;t=1');
    await expectRefused(ask("GET", "/dashboard/api/v1/merchants", { token }), "rate_limited");
    for (let asked = 0; asked < 5; asked += 1) expect((await refresh(cookie)).statusCode).toBe(200);
  });
});

describe("a user", () => {
  const as = async (email: string) => (await signIn(email)).token;

  it("may use the operations that the role allows", async () => {
    for (const role of ["viewer", "agent", "admin"] as const) await addUser(`${role}@example.com`, { role });
    const allowed = async (role: TenantRole) => {
      const { token } = await signIn(`${role}@example.com`);
      const reply = await ask("GET", "/dashboard/api/permissions", { token });
      const all = reply.json() as { operationId: string; role: TenantRole; isAllowed: boolean }[];
      expect(all).toHaveLength(27);
      expect(all).toContainEqual({ operationId: "sendSms", role: "admin", isAllowed: role === "admin" });
      return all.filter(({ isAllowed }) => isAllowed).map(({ operationId }) => operationId);
    };
    expect(await allowed("admin")).toHaveLength(27);
    const [agent, viewer] = [await allowed("agent"), await allowed("viewer")];
    expect(agent.filter((operationId) => !viewer.includes(operationId))).toEqual(["recordConsent", "simulateReply"]);
  });

  it("of one merchant sees no data of another merchant", async () => {
    await service.call("POST", "/api/v1/merchants", {
      body: { merchantId: "m2", displayName: "Second", smsLimit: 100 },
    });
    const body = { merchantId: "m2", to: "+12025550100", message: "Hello", type: "OTP" };
    const { messageId } = (await service.call("POST", "/api/v1/messages/sms", { body })).json();
    await addUser("m1@example.com", { merchantId: "m1" });
    const token = await as("m1@example.com");
    expect((await showSession(token)).json()).toMatchObject({ merchantId: "m1" });
    expect((await ask("GET", `/dashboard/api/messages/${messageId}`, { token })).statusCode).toBe(404);
    expect((await ask("GET", "/dashboard/api/v1/merchants/m2", { token })).statusCode).toBe(403);
    expect((await ask("GET", "/dashboard/api/requests", { token })).json()).toEqual([]);
  });

  it("sees which fields of a refused request were invalid, but nothing of its body", async () => {
    const body = { merchantId: "m1", to: "my password is hunter2", message: "Hello", type: "jane.doe 2025550101" };
    await service.call("POST", "/api/v1/messages/sms", { body });
    await addUser(EMAIL, { role: "viewer" });
    const reply = await ask("GET", "/dashboard/api/requests", { token: await as(EMAIL) });
    expect(reply.json()[0]).toMatchObject({
      ...{ code: "validation_error", detail: null },
      faults: [
        { pointer: "/to", code: "invalid_phone_number", detail: null },
        { pointer: "/type", detail: null },
      ],
    });
    expect(reply.body).not.toMatch(/hunter2|jane/);
  });

  it("of one tenant sees no data of another tenant", async () => {
    const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
    const { messageId } = (await service.call("POST", "/api/v1/messages/sms", { body })).json();
    const { tenantId } = await service.store.write((tx) =>
      createTenant(tx, { name: "Other", timezone: "UTC", now: service.clock.now() }),
    );
    await addUser("other@example.com", { tenantId });
    const token = await as("other@example.com");
    expect((await ask("GET", `/dashboard/api/messages/${messageId}`, { token })).statusCode).toBe(404);
    expect((await ask("GET", "/dashboard/api/v1/merchants/m1", { token })).statusCode).toBe(404);
    const chosen = await ask("GET", "/dashboard/api/session", {
      token,
      headers: { "x-dashboard-tenant": String(service.credential.tenantId) },
    });
    expect(chosen.json().tenant.tenantId).toBe(String(tenantId));
    expect((await ask("GET", "/dashboard/api/requests", { token })).json()).toEqual([]);
  });
});

describe("the audit", () => {
  let token: string;
  beforeEach(async () => {
    await addUser(EMAIL);
    ({ token } = await signIn());
  });

  const listEntries = async () => {
    const { tenantId } = service.credential;
    const entries = await listAsked(service.store, tenantId);
    return entries.reverse().map(({ operation, target }) => [operation, target]);
  };

  it("has an entry with the user for each view of a recipient and each change, without addresses in clear text", async () => {
    const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
    const { messageId } = (await service.call("POST", "/api/v1/messages/sms", { body })).json();
    const consent = { merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" };
    await ask("GET", `/dashboard/api/messages/${messageId}`, { token });
    await ask("GET", `/dashboard/api/messages?q=${encodeURIComponent("to:+12025550100 status:failed")}`, { token });
    const { headers } = await ask("POST", "/dashboard/api/v1/consents", { token, body: consent });
    await ask("GET", "/dashboard/api/v1/merchants", { token });
    expect(await listEntries()).toEqual([
      ["getMessage", `messageId ${messageId}`],
      ["searchMessages", "to:+1202•••00, status:FAILED"],
      ["recordConsent", "merchantId m1, +1202•••00"],
    ]);
    const { tenantId } = service.credential;
    const subject = createRecipientDigest(pepper)(tenantId, "+12025550100");
    const about = await service.store.read((tx) =>
      listAuditEntriesAbout(tx, { tenantId, subject, before: 1e9, limit: 100 }),
    );
    expect(about).toHaveLength(3);
    expect(about[0]).toMatchObject({ email: EMAIL, requestId: headers["x-request-id"], askedAt: service.clock.now() });
  });

  it("records sign-ins and new passwords with the client's address, and the first, tenth and hundredth failure", async () => {
    for (let failures = 0; failures < 12; failures += 1)
      await ask("POST", "/dashboard/api/session", { body: { email: EMAIL, password: "a guess" } });
    await ask("POST", "/dashboard/api/session", { body: { email: "nobody@example.com", password: "a guess" } });
    const { tenantId } = service.credential;
    const all = await service.store.read((tx) => listAuditEntries(tx, { tenantId, before: 1e9, limit: 100 }));
    expect(all.reverse().map(({ email, operation, target }) => [email, operation, target])).toEqual([
      [EMAIL, "setPassword", "from 127.0.0.1"],
      [EMAIL, "signIn", "from 127.0.0.1"],
      [EMAIL, "signIn", "refused: failure 1 in 15 minutes, from 127.0.0.1"],
      [EMAIL, "signIn", "refused: failure 10 in 15 minutes, from 127.0.0.1"],
    ]);
    expect(all.every(({ requestId }) => requestId.startsWith("req_"))).toBe(true);
  });

  it("is listed for admins of the whole tenant, page by page or by recipient", async () => {
    const list = async (query = "", as = token) =>
      (await ask("GET", `/dashboard/api/audit${query}`, { token: as })).json();
    const consent = { merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" };
    for (let count = 0; count < 101; count += 1) {
      const contact = `+120255501${String(count % 100).padStart(2, "0")}`;
      await ask("POST", "/dashboard/api/v1/consents", { token, body: { ...consent, contact } });
    }
    const first = await list();
    expect(first.entries).toHaveLength(100);
    expect(first.entries[0]).toMatchObject({
      email: EMAIL,
      operation: "recordConsent",
      target: "merchantId m1, +1202•••00",
    });
    const second = await list(`?before=${first.next}`);
    expect(second.entries.map(({ operation }: { operation: string }) => operation)).toEqual([
      ...["recordConsent", "signIn", "setPassword"],
    ]);
    expect(second.next).toBeNull();
    expect((await list("?about=%2B12025550100")).entries).toHaveLength(2);
    for (const [email, flags] of [
      ["agent@example.com", { role: "agent" }],
      ["m1@example.com", { merchantId: "m1" }],
    ] as const) {
      await addUser(email, flags);
      expect(await list("", (await signIn(email)).token)).toMatchObject({ code: "merchant_scope_denied" });
    }
    const { tenantId } = await service.store.write((tx) =>
      createTenant(tx, { name: "Other", timezone: "UTC", now: service.clock.now() }),
    );
    await addUser("other@example.com", { tenantId });
    const others = await list("", (await signIn("other@example.com")).token);
    expect(others.entries.map(({ email }: { email: string }) => email)).toEqual(
      others.entries.map(() => "other@example.com"),
    );
  });

  it("records a repeated view every ten minutes, and every single change", async () => {
    const consents = () => ask("GET", "/dashboard/api/v1/consents?merchantId=m1", { token });
    const consent = { merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" };
    const record = () => ask("POST", "/dashboard/api/v1/consents", { token, body: consent });
    for (const each of [consents, record, consents, record]) await each();
    await service.clock.advanceBy(10 * MINUTE_MS);
    await consents();
    const operations = (await listEntries()).map(([operation]) => operation);
    expect(operations).toEqual(["listConsents", "recordConsent", "recordConsent", "listConsents"]);
  });

  it("is pruned after two years", async () => {
    await ask("GET", "/dashboard/api/v1/consents", { token });
    await service.start();
    await service.clock.advanceBy(729 * 24 * HOUR_MS);
    expect(await listEntries()).toHaveLength(1);
    await service.clock.advanceBy(2 * 24 * HOUR_MS);
    expect(await listEntries()).toEqual([]);
  }, 60_000);
});

/** The expression of docs/operations.md in JavaScript's syntax. */
function readFail2banExpression(): RegExp {
  const text = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
  const [, expression = ""] = /^failregex = (.+)$/m.exec(text) ?? [];
  return new RegExp(expression.replace("<HOST>", "(?<host>[\\da-f.:]+)"));
}

describe("a user's own account", () => {
  const NEW = "a new and longer passphrase";

  it("lists the sessions that have not ended, and ends the others", async () => {
    await addUser(EMAIL);
    const first = await signIn();
    await service.clock.advanceBy(HOUR_MS);
    const second = await signIn();
    const list = async (token: string) => (await ask("GET", "/dashboard/api/account/sessions", { token })).json();
    expect(await list(second.token)).toEqual([
      { createdAt: "2026-01-15T13:00:00.000Z", refreshedAt: "2026-01-15T13:00:00.000Z", isCurrent: true },
      { createdAt: "2026-01-15T12:00:00.000Z", refreshedAt: "2026-01-15T12:00:00.000Z", isCurrent: false },
    ]);
    const ended = await ask("POST", "/dashboard/api/account/sessions/end", { token: second.token });
    expect(ended.statusCode).toBe(204);
    expect(await list(second.token)).toHaveLength(1);
    expect((await refresh(first.cookie)).statusCode).toBe(401);
  });

  it("changes the password, and ends the other sessions", async () => {
    await addUser(EMAIL);
    const [other, own] = [await signIn(), await signIn()];
    const change = (body: object) => ask("POST", "/dashboard/api/account/password", { token: own.token, body });
    expect((await change({ current: PASSWORD, password: NEW })).statusCode).toBe(204);
    expect((await ask("GET", "/dashboard/api/session", { token: own.token })).statusCode).toBe(200);
    expect((await refresh(other.cookie)).statusCode).toBe(401);
    expect([(await trySignIn()).statusCode, (await trySignIn(EMAIL, NEW)).statusCode]).toEqual([401, 200]);
    expect(logged.join("")).not.toContain(NEW);
  });

  it("refuses a wrong present password, a bad new one, and too many attempts of the session", async () => {
    await addUser(EMAIL);
    const { token } = await signIn();
    const change = (current: string, password = NEW) =>
      ask("POST", "/dashboard/api/account/password", { token, body: { current, password } });
    const refused = [await change("wrong"), await change(PASSWORD, "short")];
    expect(refused.map((reply) => [reply.statusCode, reply.json().errors[0].pointer])).toEqual([
      [400, "/current"],
      [400, "/password"],
    ]);
    for (let count = 1; count < 30; count += 1) await change("wrong");
    const limited = await change(PASSWORD);
    expect(limited.json()).toMatchObject({ status: 429, code: "rate_limited" });
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(0);
    // the limit of the session does not lock the account
    expect((await trySignIn()).statusCode).toBe(200);
    await service.clock.advanceBy(16 * MINUTE_MS);
    const { token: later } = await signIn();
    const changed = await ask("POST", "/dashboard/api/account/password", {
      token: later,
      body: { current: PASSWORD, password: NEW },
    });
    expect(changed.statusCode).toBe(204);
  });
});
