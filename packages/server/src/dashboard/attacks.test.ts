// Attacks on the dashboard that need no browser, tried on every operation of the dashboard's API and of the contract, so
// that new operations are covered too. Attacks on a single part are tested with that part: reused refresh cookies, guesses
// from one address and forged tokens in sessions.test.ts, a mail's address in mail-frames.test.ts, and unread streams in
// event-streams.test.ts. Attacks that need a browser are in test/dashboard/attacks.test.ts.

import { readFileSync } from "node:fs";
import { type ApiOperationEntry, operations as contractOperations } from "@msgctl/contract";
import { parameterSchemas as contractParameters } from "@msgctl/contract/schemas";
import { operations as dashboardOperations } from "@msgctl/dashboard/api";
import { parameterSchemas as ownParameters } from "@msgctl/dashboard/api/schemas";
import type { InjectOptions } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { enqueueCallback } from "../domain/callbacks/rows.ts";
import { insertAlert, listOpenAlerts } from "../domain/merchants/alert-rows.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import { listUsersOf } from "../domain/users/rows.ts";
import { mayAs, type Role, tenantRoles } from "../domain/users/rules.ts";
import { createOperator, createUser } from "../domain/users/users.ts";
import { MOST_STREAMS } from "../http/replies/event-streams.ts";
import { placeholderPages } from "../testing/dashboard-service.ts";
import { type InMemoryService, openInMemoryService, pepper } from "../testing/in-memory-service.ts";
import { exampleProvisioning, storeProvisioning } from "../testing/provisioning-example.ts";
import { permissions } from "./dashboard-api.ts";

const PASSWORD = "correct horse battery staple";
const COOKIE = "__Host-msgd-session";

interface Tried extends ApiOperationEntry {
  /** The path below `/dashboard`, with placeholders. */
  readonly path: string;
}

const tried: readonly Tried[] = [
  ...Object.values(dashboardOperations),
  ...Object.values(contractOperations).map((entry) => ({ ...entry, path: `/dashboard${entry.path}` })),
];
const changing = tried.filter(({ method }) => method !== "GET");
const permissionOf = ({ operationId }: Tried) => permissions[operationId as keyof typeof permissions];
/** Operations that need a session: all except signing in and out, refreshing a session, and setting a password. */
const guarded = tried.filter((entry) => permissionOf(entry) !== undefined);

const parameterSchemas: Readonly<Record<string, { query?: object }>> = { ...ownParameters, ...contractParameters };

const { paths } = parse(readFileSync(new URL("../../../../openapi.yaml", import.meta.url), "utf8"));

/** Returns the body of the contract's first example; undefined for an operation without a body. */
function exampleBody({ path, method }: Tried): object | undefined {
  const described = paths[path.replace(/^\/dashboard/, "")]?.[method.toLowerCase()];
  const examples = described?.requestBody?.content["application/json"].examples ?? {};
  return (Object.values(examples)[0] as { value: object } | undefined)?.value;
}

/** Bodies of operations in the dashboard's document, which has no examples. */
const ownBodies: Readonly<Record<string, object>> = {
  setUserRole: { role: "viewer" },
  setSecondFactorPolicy: { secondFactor: "optional" },
  startSecondFactor: { current: "x" },
  confirmSecondFactor: { code: "x" },
  removeSecondFactor: { current: "x", code: "x" },
  renewRecoveryCodes: { current: "x", code: "x" },
  rotateKey: { overlapSeconds: 60 },
  testCarrier: { carrier: "smtp-4f9c2a1b", to: "ann@example.com" },
};

let service: InMemoryService;

async function open({ isDevelopment = false } = {}): Promise<void> {
  service = await openInMemoryService({
    dashboardFiles: placeholderPages(),
    isDevelopment,
    consentPolicy: "opt_out_only",
  });
}

interface AskOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string | undefined;
  readonly from?: string;
}

type Method = ApiOperationEntry["method"] | "OPTIONS";

function ask(method: Method, url: string, { token, headers, body, from }: AskOptions = {}) {
  const options: InjectOptions = {
    method,
    url,
    ...(from === undefined ? {} : { remoteAddress: from }),
    headers: {
      host: "127.0.0.1:4800",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  };
  if (body !== undefined) options.payload = body;
  return service.app.inject(options);
}

const addTenant = async (name: string) =>
  (await service.store.write((tx) => createTenant(tx, { name, timezone: "UTC", now: service.clock.now() }))).tenantId;

async function addUser(role: Role = "admin", tenantId = service.credential.tenantId): Promise<string> {
  const email = `${role}.${tenantId}@example.com`;
  const of = { email, pepper, now: service.clock.now() };
  const { token: link } = await service.store.write((tx) =>
    role === "operator" ? createOperator(tx, of) : createUser(tx, { ...of, tenantId, merchantId: null, role }),
  );
  const reply = await ask("POST", "/dashboard/api/password", { body: { link, password: PASSWORD } });
  expect(reply.statusCode).toBe(200);
  return email;
}

const trySignIn = (email: string, options: AskOptions & { password?: string } = {}) =>
  ask("POST", "/dashboard/api/session", { body: { email, password: options.password ?? PASSWORD }, ...options });

type Reply = Awaited<ReturnType<typeof ask>>;

const cookieOf = (reply: Reply) => reply.cookies.find(({ name }) => name === COOKIE)?.value ?? "";

async function signIn(role: Role = "admin", tenantId = service.credential.tenantId): Promise<string> {
  return (await trySignIn(await addUser(role, tenantId))).json().token;
}

const fill = (path: string, values: Readonly<Record<string, string>> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(values[name] ?? "x"));

/** Returns the path with the placeholder at `position` replaced by a text, and all others by "1". */
function fillWith(path: string, position: number, text: string): string {
  let index = -1;
  return path.replaceAll(/\{\w+\}/g, () => {
    index += 1;
    return encodeURIComponent(index === position ? text : "1");
  });
}

/** Returns the names of the parameters in a schema. */
function textsOf(schema: object): string[] {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, object>> };
  return Object.keys(properties);
}

/** Defines a test of many operations. The test reports every operation that fails, and why. */
function itEach(entries: readonly Tried[], words: string, check: (entry: Tried) => Promise<void>): void {
  it(words, async () => {
    expect(entries).not.toEqual([]);
    for (const entry of entries) {
      const { operationId, path } = entry;
      await check(entry).catch((error) => expect.soft(error, `${operationId} ${path}`).toBeUndefined());
    }
  });
}

/** Requests that another site's page can make a browser send. */
const foreign: readonly Readonly<Record<string, string>>[] = [
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: "http://127.0.0.1:9999", "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
];

describe("another site's page, with a server in development", () => {
  beforeAll(() => open({ isDevelopment: true }));
  afterAll(() => service.close());

  itEach(changing, "cannot change anything with any operation", async (entry) => {
    const { path } = entry;
    const body = exampleBody(entry) ?? (entry.bodySchema === null ? undefined : {});
    for (const headers of foreign) {
      const reply = await ask(entry.method, fill(path), { headers, body });
      expect([reply.statusCode, reply.json().code]).toEqual([403, "control_denied"]);
    }
    if (entry.bodySchema === null) return;
    // browsers send forms with these types without a preflight request
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const headers = { "content-type": type };
      const reply = await ask(entry.method, fill(path), { headers, body: JSON.stringify(body) });
      expect([type, reply.statusCode]).toEqual([type, 415]);
    }
  });

  itEach(tried, "cannot call any operation under another host name of this machine", async ({ method, path }) => {
    for (const host of ["evil.example", "evil.example:4800", "127.0.0.1.evil.example", "localhost.evil.example:4800"]) {
      const reply = await ask(method, fill(path), { headers: { host } });
      expect([host, reply.statusCode]).toEqual([host, 403]);
    }
  });

  it("cannot load any page under another host name of this machine", async () => {
    const headers = { host: "evil.example", accept: "text/html" };
    for (const path of ["", "/", "/messages", "/files/main-ABC.js", "/mail/x"]) {
      expect([path, (await ask("GET", `/dashboard${path}`, { headers })).statusCode]).toEqual([path, 403]);
    }
    // this reply reveals only that there is a dashboard
    const start = await ask("GET", "/", { headers });
    expect([start.statusCode, start.payload]).toEqual([303, ""]);
    expect((await ask("GET", "/api/v1/merchants", { headers })).statusCode).toBe(401);
  });

  it("can neither show a page or file in a frame, nor make a browser treat it as another media type", async () => {
    const pages = ["", "/messages", "/messages/x", "/recipients/x", "/requests", "/callbacks/x", "/calls", "/voice"];
    const files = ["/files/main-ABC.js", "/files/style-ABC.css", "/files/missing.js", "/mail/x", "/api/nothing"];
    for (const path of [...pages, ...files]) {
      const { headers } = await ask("GET", `/dashboard${path}`, { headers: { accept: "text/html, */*" } });
      expect({ path, ...headers }).toMatchObject({ path, "x-content-type-options": "nosniff" });
      const policy = String(headers["content-security-policy"]);
      expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
      expect(policy).not.toMatch(/unsafe-(?:inline|eval)|\*/);
    }
  });
});

describe("another site's page, with a user's cookie", () => {
  let cookie: string;
  let token: string;
  beforeAll(async () => {
    await open();
    const reply = await trySignIn(await addUser());
    cookie = `${COOKIE}=${cookieOf(reply)}`;
    token = reply.json().token;
  });
  afterAll(() => service.close());

  itEach(changing, "cannot change anything with any operation", async (entry) => {
    const { path } = entry;
    const isGuarded = permissionOf(entry) !== undefined;
    const body = exampleBody(entry) ?? (entry.bodySchema === null ? undefined : {});
    // without a token, even requests from the dashboard's own pages are refused
    const own = isGuarded ? [{}, { origin: "http://127.0.0.1:4800", "sec-fetch-site": "same-origin" }] : [];
    for (const headers of [...foreign, ...own]) {
      const reply = await ask(entry.method, fill(path), { headers: { ...headers, cookie }, body });
      expect(reply.json().code).toBe(isGuarded ? "credentials_missing" : "merchant_scope_denied");
    }
  });

  it("leaves the cookie valid after these requests", async () => {
    expect((await ask("POST", "/dashboard/api/session/refresh", { headers: { cookie } })).statusCode).toBe(200);
  });

  it("gets no CORS permission in any reply", async () => {
    for (const { method, path, responseMediaType } of tried) {
      const headers = { origin: "https://evil.example", "access-control-request-method": method };
      const replies = [await ask("OPTIONS", fill(path), { headers })];
      if (responseMediaType !== "text/event-stream") replies.push(await ask(method, fill(path), { token, headers }));
      for (const reply of replies) expect(Object.keys(reply.headers).join()).not.toContain("access-control-allow");
    }
  });
});

describe("a user with a lower role", () => {
  const tokens = new Map<Role, string>();
  beforeAll(async () => {
    await open();
    for (const role of [...tenantRoles, "operator"] as const) tokens.set(role, await signIn(role));
  });
  afterAll(() => service.close());

  itEach(guarded, "is refused every operation that their role may not use", async (entry) => {
    const { path } = entry;
    const { role: least } = permissionOf(entry);
    for (const [role, token] of tokens) {
      if (least !== null && !mayAs(role, least)) {
        const reply = await ask(entry.method, fill(path), { token, body: exampleBody(entry) });
        expect([reply.statusCode, reply.json().code]).toEqual([403, "merchant_scope_denied"]);
        expect(reply.json().detail).toContain(`needs the role ${least}`);
      } else if (entry.responseMediaType !== "text/event-stream") {
        // skip streams, because they do not end
        const reply = await ask(entry.method, fill(path), { token });
        expect(reply.payload).not.toContain("needs the role");
      }
    }
  });
});

describe("a text with U+0000", () => {
  let token: string;
  beforeAll(async () => {
    await open();
    token = await signIn();
  });
  afterAll(() => service.close());

  itEach(tried, "is refused wherever an operation takes a text", async (entry) => {
    const { method, path, operationId } = entry;
    const { query = {} } = parameterSchemas[operationId] ?? {};
    const body = exampleBody(entry) ?? ownBodies[operationId];
    const requests = [
      ...entry.pathParameters.map((_name, index) => ({ path: fillWith(path, index, "a\0b"), body })),
      ...textsOf(query).map((name) => ({ path: `${fill(path)}?${name}=a%00b`, body })),
      ...Object.entries(body ?? {}).flatMap(([name, value]) =>
        typeof value === "string" ? [{ path: fill(path), body: { ...body, [name]: "a\0b" } }] : [],
      ),
    ];
    for (const request of requests) {
      const reply = await ask(method, request.path, { token, body: request.body });
      // FreeSWITCH accepts only replies with status 200
      const status = operationId === "getDirectoryEntry" ? 200 : 400;
      expect([request, reply.statusCode]).toEqual([request, status]);
    }
  });
});

describe.each([true, false])("a user of another tenant, in development: %s,", (isDevelopment) => {
  /** A text that all of the tenant's data contains. */
  const SECRET = "only-acme-may-see-this";
  const TO = "+12025550100";
  let ids: Record<string, string>;
  let own: AskOptions;
  let attacker: AskOptions;

  beforeAll(async () => {
    await open({ isDevelopment });
    const { tenantId } = service.credential;
    const call = async (path: string, body: object) => {
      const reply = await service.call("POST", path, { body });
      expect(reply.statusCode, reply.payload).toBeLessThan(300);
      return reply.json();
    };
    const merchantId = "acme-dental";
    const limits = { smsLimit: 100, voiceMinutesLimit: 100, emailLimit: 100 };
    await call("/api/v1/merchants", { merchantId, displayName: SECRET, ...limits });
    const mail = { merchantId, to: `${SECRET}@example.com`, subject: SECRET, body: SECRET, type: "TRANSACTIONAL" };
    const { messageId } = await call("/api/v1/messages/email", mail);
    await call("/api/v1/messages/sms", { merchantId, to: TO, message: SECRET, type: "OTP" });
    const words = { merchantId, useCase: SECRET, messageText: SECRET, toNumber: TO };
    const { requestId, batchId } = await call("/api/v1/voice/tts-calls", words);
    const number = { phoneNumber: "+12025550142", capabilities: ["SMS", "VOICE"], provider: SECRET };
    const { id: numberId } = await call(`/api/v1/merchants/${merchantId}/messaging/numbers`, number);
    const webhookId = await service.store.write(async (tx) => {
      const callback = { tenantId, requestId: Number(requestId), url: `https://${SECRET}.example/` };
      const type = "voice.tts_call.updated" as const;
      await enqueueCallback(tx, { ...callback, type, data: { SECRET }, now: service.clock.now() });
      const [row] = await tx.all<{ webhook_id: string }>("SELECT webhook_id FROM callbacks");
      return row?.webhook_id ?? "";
    });
    const [alert] = await service.store.write(async (tx) => {
      const cause = {
        alertType: "USAGE_THRESHOLD",
        severity: "INFO",
        thresholdPercent: 50,
        occurrence: SECRET,
      } as const;
      const now = service.clock.now();
      await insertAlert(tx, { tenantId, merchantId, channel: "SMS", message: SECRET, ...cause, now });
      return listOpenAlerts(tx, { tenantId, merchantId: null }, 1);
    });
    const alertId = String(alert?.alertId);
    await storeProvisioning(service.store, exampleProvisioning(tenantId));
    const identifier = exampleProvisioning(tenantId).sipUsers[0]?.sipUsername ?? "";
    const { apiKey } = await service.issue({});
    if (!isDevelopment) await addUser("viewer");
    const users = await service.store.read((tx) => listUsersOf(tx, { tenantId, merchantId: null, limit: 1 }));
    const userId = String(users[0]?.userId ?? 1);
    const objects = { messageId, requestId, batchId, numberId, webhookId, alertId };
    ids = { merchantId, ...objects, contact: TO, identifier, apiKey, userId };
    const other = await addTenant("Other");
    own = isDevelopment ? {} : { token: await signIn() };
    attacker = isDevelopment
      ? { headers: { "x-dashboard-tenant": String(other) } }
      : { token: await signIn("admin", other) };
  });
  afterAll(() => service.close());

  /** Operations whose replies depend on the time, on other tenants or requests, or on the request itself. */
  const isPassing: readonly string[] = [
    ...[
      "getSession",
      "listRequests",
      "listAuditEntries",
      "getHealth",
      "getInstallation",
      "getActivity",
      "getMailFrame",
    ],
  ];

  /** Reads everything that the tenant itself can read. */
  async function readAll(): Promise<unknown[]> {
    const seen: unknown[] = [];
    for (const { method, path, operationId, responseMediaType } of guarded) {
      if (method !== "GET" || responseMediaType !== "application/json") continue;
      // an in-memory server has no users in development, and no search index otherwise
      const isMissing = isDevelopment ? ["listUsers", "getSecondFactor"] : ["searchMessages", "listRecipientMessages"];
      if (isMissing.includes(operationId) || isPassing.includes(operationId)) continue;
      seen.push([operationId, ...(await readPages(fill(path, ids) + queryOf(operationId)))]);
    }
    return seen;
  }

  /**
   * Returns the status and the body. Asks again while messages are being indexed, and continues a search that reached its
   * time limit from its cursor.
   */
  async function readPages(url: string): Promise<[number, unknown]> {
    let reply = await ask("GET", url, own);
    while (reply.json().isComplete === false) reply = await ask("GET", url, own);
    const body = reply.json();
    while (Array.isArray(body.messages) && typeof body.next === "string") {
      const separator = url.includes("?") ? "&" : "?";
      const page = await ask("GET", `${url}${separator}cursor=${encodeURIComponent(body.next)}`, own);
      expect(page.statusCode).toBe(200);
      const { messages, ...rest } = page.json();
      Object.assign(body, rest, { messages: [...body.messages, ...messages] });
    }
    return [reply.statusCode, body];
  }

  const queryOf = (operationId: string) => (operationId === "lookUpId" ? `?text=${ids.batchId}` : "");

  /** Returns the example body with the tenant's ids. The other tenant has no merchant with the same id in this test. */
  function bodyOf(entry: Tried): object | undefined {
    const ofDashboard = ownBodies[entry.operationId];
    if (ofDashboard !== undefined) return ofDashboard;
    const body = exampleBody(entry);
    if (body === undefined || entry.operationId === "upsertMerchant") return body;
    const given = Object.entries({ ...ids, tenantId: String(service.credential.tenantId) });
    return { ...body, ...Object.fromEntries(given.filter(([name]) => name in body)) };
  }

  /** Ids that do not exist. */
  const nobodys = {
    ...{ merchantId: "no-such-merchant", messageId: `msg_${"0".repeat(26)}`, requestId: "4711", batchId: "4712" },
    ...{ numberId: "4713", webhookId: `evt_${"0".repeat(32)}`, apiKey: "mkt_live_nothing", userId: "4714" },
    alertId: "4715",
  };

  /** Returns the refusal without the parts that differ between requests. */
  function wordsOf(reply: Reply, of: Readonly<Record<string, string>>): object {
    const { status, code, detail } = reply.json();
    const shown = Object.values(of).reduce((text, id) => text.replaceAll(String(id), "…"), String(detail));
    return { status, code, detail: shown };
  }

  const withIds = guarded.filter(({ pathParameters }) => pathParameters.length > 0);

  it("can neither read nor change anything, whichever operation gets the tenant's ids", async () => {
    const before = await readAll();
    // if an id did not exist for the tenant, the refusals below would prove nothing
    expect(before.filter((each) => (each as [string, number])[1] !== 200)).toEqual([]);
    for (const entry of guarded) {
      if (entry.responseMediaType === "text/event-stream") continue;
      const { method, path, operationId, queryParameters } = entry;
      for (const name of entry.pathParameters) expect(Object.keys(ids), operationId).toContain(name);
      const query = queryParameters.includes("merchantId") ? `?merchantId=${ids.merchantId}` : queryOf(operationId);
      const reply = await ask(method, fill(path, ids) + query, { ...attacker, body: bodyOf(entry) });
      expect([operationId, reply.payload]).not.toEqual([operationId, expect.stringContaining(SECRET)]);
      if (operationId === "lookUpId") expect(reply.json()).toEqual([]);
      if (!withIds.includes(entry)) continue;
      // skip operations on a recipient, which every tenant may name, and the directory, which replies in another format
      const isAnyone = entry.pathParameters.some((name) => name === "contact" || name === "identifier");
      if (isAnyone) continue;
      expect([operationId, reply.statusCode]).toEqual([operationId, 404]);
      const nowhere = await ask(method, fill(path, nobodys) + query, { ...attacker, body: bodyOf(entry) });
      expect([operationId, wordsOf(reply, ids)]).toEqual([operationId, wordsOf(nowhere, nobodys)]);
    }
    expect(await readAll()).toEqual(before);
  });
});

describe("a session", () => {
  beforeEach(() => open());
  afterEach(() => service.close());

  it("ignores the cookie of an earlier session, whoever owned it", async () => {
    const [victim, other] = [await addUser("viewer"), await addUser("admin", await addTenant("Other"))];
    const planted = [`${"a".repeat(22)}.${"b".repeat(43)}`, cookieOf(await trySignIn(other))];
    for (const cookie of planted) {
      const headers = { cookie: `${COOKIE}=${cookie}` };
      const reply = await trySignIn(victim, { headers });
      const own = cookieOf(reply);
      expect(own.split(".")[0]).not.toBe(cookie.split(".")[0]);
      const session = await ask("GET", "/dashboard/api/session", { token: reply.json().token });
      expect(session.json().email).toBe(victim);
      // the planted cookie does not belong to the victim's session
      const refreshed = await ask("POST", "/dashboard/api/session/refresh", { headers });
      if (refreshed.statusCode === 200) {
        const { email } = (await ask("GET", "/dashboard/api/session", { token: refreshed.json().token })).json();
        expect(email).toBe(other);
      } else expect(refreshed.statusCode).toBe(401);
    }
  });

  it("cannot be started after 100 failures for an account, from any address", async () => {
    const email = await addUser();
    const guess = (failures: number) => trySignIn(email, { password: "a guess", from: `8.8.${failures % 8}.8` });
    for (let failures = 0; failures < 100; failures += 10) {
      const replies = await Promise.all(Array.from({ length: 10 }, (_none, more) => guess(failures + more)));
      expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 401));
    }
    const refused = await trySignIn(email, { from: "9.9.9.9" });
    expect([refused.statusCode, refused.json().code]).toEqual([429, "rate_limited"]);
    await service.clock.advanceBy(15 * 60_000);
    expect((await trySignIn(email, { from: "9.9.9.9" })).statusCode).toBe(200);
  });
});

describe("many streams", () => {
  beforeAll(() => open({ isDevelopment: true }));
  afterAll(() => service.close());

  it("are limited, do not delay sends, and are all closed when their clients leave", async () => {
    await service.start();
    await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "M", smsLimit: 100 } });
    const address = await service.app.listen({ port: 0, host: "127.0.0.1" });
    const { ofUser, inAll } = MOST_STREAMS;
    const tenants = [service.credential.tenantId];
    while (tenants.length <= inAll / ofUser) tenants.push(await addTenant(`Tenant ${tenants.length}`));
    const left = new AbortController();
    const follow = async (tenantId: number | undefined) => {
      const headers = { "x-dashboard-tenant": String(tenantId) };
      const reply = await fetch(`${address}/dashboard/api/messages/live`, { headers, signal: left.signal });
      if (!reply.ok) await reply.text();
      return reply;
    };
    // an unreferenced reply would be cancelled when it is garbage-collected
    const held: Response[] = [];
    const followAll = async (tenantId: number | undefined) => {
      const replies = await Promise.all(Array.from({ length: ofUser }, () => follow(tenantId)));
      expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
      held.push(...replies);
    };
    const before = process.memoryUsage().heapUsed;
    await followAll(tenants[0]);
    expect((await follow(tenants[0])).status).toBe(429);
    for (const tenantId of tenants.slice(1, -1)) await followAll(tenantId);
    expect((await follow(tenants.at(-1))).status).toBe(429);

    const body = { merchantId: "m1", to: "+12025550100", message: "Still here", type: "OTP" };
    expect((await service.call("POST", "/api/v1/messages/sms", { body })).statusCode).toBeLessThan(300);
    const reader = held[0]?.body?.pipeThrough(new TextDecoderStream()).getReader();
    let told = "";
    while (!told.includes("Still here")) told += (await reader?.read())?.value ?? "";
    // each stream takes at most 200 kB, including the client's end
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(inAll * 200_000);

    left.abort();
    const again = new AbortController();
    const headers = { "x-dashboard-tenant": String(tenants[0]) };
    held.length = 0;
    const openAll = async () => {
      while (held.length < ofUser) {
        const reply = await fetch(`${address}/dashboard/api/messages/live`, { headers, signal: again.signal });
        if (reply.status !== 200) return reply.text();
        held.push(reply);
      }
      return "all";
    };
    await expect.poll(openAll).toBe("all");
    again.abort();
  });
});
