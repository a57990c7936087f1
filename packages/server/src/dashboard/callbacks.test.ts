import { createHmac } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { InjectOptions } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSubscription, saveSubscription, stopSubscription } from "../domain/callbacks/event-rows.ts";
import { enqueueCallback, insertCallbackSecret } from "../domain/callbacks/rows.ts";
import { verifyWebhook } from "../domain/callbacks/rules.ts";
import { insertCarrier } from "../domain/carriers/rows.ts";
import { enterQueue } from "../domain/messages/carrier-queue-rows.ts";
import { beginErasure, continueErasure } from "../domain/recipients/recipients.ts";
import { createTenant } from "../domain/tenancy/tenants.ts";
import type { Role } from "../domain/users/rules.ts";
import type { InProcessOptions } from "../in-process.ts";
import type { Poster } from "../service.ts";
import { checkInvariants } from "../store/invariants.ts";
import { listAsked } from "../testing/audit-entries.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";
import type { InMemoryService } from "../testing/in-memory-service.ts";
import { addMessage } from "../testing/messages.ts";
import { answering, openReceiver, type Receiver } from "../testing/receivers.ts";

const NUMBER = "+12025550100";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const toClose: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close();
});

let dashboard: DashboardService;
let service: InMemoryService;

async function open(options: InProcessOptions = { isDevelopment: true }): Promise<void> {
  dashboard = await openDashboardService({ allowPrivateCallbacks: true, ...options });
  ({ service } = dashboard);
  const opened = service;
  toClose.push(async () => {
    const faults = (await opened.store.read(checkInvariants)).filter((report) => report.faults.length > 0);
    await opened.close();
    expect(faults).toEqual([]);
  });
  await service.start();
  for (const merchantId of ["m1", "m2"]) {
    await service.call("POST", "/api/v1/merchants", {
      body: { merchantId, displayName: merchantId, voiceMinutesLimit: 100 },
    });
    const consent = { merchantId, channel: "VOICE", contact: NUMBER, status: "OPT_IN" };
    await service.call("POST", "/api/v1/consents", { body: consent });
  }
}

async function openHook(answer = answering(200)): Promise<Receiver> {
  const receiver = await openReceiver(answer);
  toClose.push(receiver.close);
  return receiver;
}

interface AskOptions {
  readonly token?: string;
  readonly tenantId?: number;
}

async function ask(method: "GET" | "POST", path: string, { token, tenantId }: AskOptions = {}) {
  const options: InjectOptions = {
    method,
    url: `/dashboard/api${path}`,
    headers: {
      host: "127.0.0.1:4800",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(tenantId === undefined ? {} : { "x-dashboard-tenant": String(tenantId) }),
    },
  };
  const reply = await service.app.inject(options);
  return { status: reply.statusCode, body: reply.json() };
}

const list = async (query = "", options: AskOptions = {}) => (await ask("GET", `/callbacks${query}`, options)).body;
const show = async (webhookId: string, options: AskOptions = {}) =>
  (await ask("GET", `/callbacks/${webhookId}`, options)).body;
const resend = (webhookId: string, options: AskOptions = {}) => ask("POST", `/callbacks/${webhookId}/resends`, options);

/** Requests a call whose callbacks go to `url`, and waits until the call has ended. */
async function callOut(url: string, merchantId = "m1"): Promise<number> {
  const body = { merchantId, useCase: "OTP", messageText: "Your code is 1234", toNumber: NUMBER, callbackUrl: url };
  const reply = await service.call("POST", "/api/v1/voice/tts-calls", { body });
  expect(reply.statusCode, reply.body).toBe(200);
  await service.clock.advanceBy(10 * MINUTE_MS);
  return Number(reply.json().requestId);
}

/** Enqueues callbacks without notifying the dispatcher. */
const enqueue = (url: string, of: { requestId: number; count: number; tenantId?: number }) =>
  service.store.write(async (tx) => {
    const { requestId, count, tenantId = service.credential.tenantId } = of;
    for (let number = 0; number < count; number += 1) {
      const callback = { tenantId, requestId, url, type: "voice.tts_call.updated" as const };
      await enqueueCallback(tx, { ...callback, data: { number }, now: service.clock.now() });
    }
  });

/** Enqueues callbacks, and then makes another call, whose callbacks notify the dispatcher. */
async function post(url: string, of: { requestId: number; count: number }): Promise<void> {
  await enqueue(url, of);
  await callOut((await openHook()).url);
}

const signIn = (role: Role, merchantId: string | null = null, tenantId = service.credential.tenantId) =>
  dashboard.signIn(`${role}.${merchantId}.${tenantId}@example.com`, { role, merchantId, tenantId });

describe("events of messages", () => {
  beforeEach(() => open({}));

  it("are listed with their message and merchant, and their URL is shown to users of the whole tenant", async () => {
    const { token } = await signIn("agent");
    const [ofFirst, ofSecond] = [await signIn("viewer", "m1"), await signIn("viewer", "m2")];
    const none = { url: null, events: [], setAt: null, stoppedAt: null };
    expect((await ask("GET", "/event-subscription", { token })).body).toEqual(none);
    const { url } = await openHook();
    const { tenantId } = service.credential;
    const setAt = service.clock.now();
    await service.store.write((tx) => saveSubscription(tx, { tenantId, url, tellsUpdates: 1, tellsTexts: 0, setAt }));
    const shown = { url, events: ["message.updated"], setAt: new Date(setAt).toISOString(), stoppedAt: null };
    expect((await ask("GET", "/event-subscription", await signIn("viewer"))).body).toEqual(shown);
    expect((await ask("GET", "/event-subscription", ofFirst)).status).toBe(403);

    const limits = { merchantId: "m1", displayName: "m1", smsLimit: 10 };
    await service.call("POST", "/api/v1/merchants", { body: limits });
    const body = { merchantId: "m1", to: NUMBER, message: "Hello", type: "TRANSACTIONAL" };
    const { messageId } = (await service.call("POST", "/api/v1/messages/sms", { body })).json();
    await service.clock.advanceBy(MINUTE_MS);
    const seen = { requestId: null, messageId, merchantId: "m1", type: "message.updated", status: "DELIVERED", url };
    expect((await list("", { token })).callbacks).toMatchObject([seen, seen]);
    expect((await list("", ofSecond)).callbacks).toEqual([]);
    const [{ webhookId }] = (await list("", ofFirst)).callbacks;
    expect(await show(webhookId, { token })).toMatchObject({ ...seen, obstacle: null });
    expect((await resend(webhookId, { token })).status).toBe(200);
  });
});

describe("the URL for events of messages", () => {
  const url = "https://shop.example/events";
  const events = ["message.updated", "message.received"];
  const none = { url: null, events: [], setAt: null, stoppedAt: null };
  const set = (body: object, as: SignedIn) => dashboard.ask("PUT", "/event-subscription", { as, body });
  const remove = (as: SignedIn) => dashboard.ask("DELETE", "/event-subscription", { as });
  const read = async (as: SignedIn) => (await dashboard.ask("GET", "/event-subscription", { as })).body;
  const readSecret = (as: SignedIn) => dashboard.ask("GET", "/callback-secret", { as });

  it("is set, changed and removed by an admin, and the audit says by whom", async () => {
    await open({});
    const admin = await signIn("admin");
    const setAt = new Date(service.clock.now()).toISOString();
    const first = await set({ url: "https://Shop.example", events }, admin);
    expect(first).toMatchObject({
      status: 200,
      body: { url: "https://shop.example/", events, setAt, stoppedAt: null },
    });
    expect((await set({ url, events: ["message.received"] }, admin)).body.events).toEqual(["message.received"]);
    expect(await read(admin)).toMatchObject({ url, events: ["message.received"] });
    expect(await remove(admin)).toMatchObject({ status: 200, body: none });
    expect(await read(admin)).toEqual(none);
    expect((await remove(admin)).status).toBe(200);
    const entries = await listAsked(service.store, service.credential.tenantId);
    expect(entries.reverse().map(({ email, operation, target }) => [email, operation, target])).toEqual([
      [admin.email, "setEventSubscription", "url https://Shop.example, events message.updated, message.received"],
      [admin.email, "setEventSubscription", `url ${url}, events message.received`],
      [admin.email, "removeEventSubscription", `url ${url}`],
      [admin.email, "removeEventSubscription", null],
    ]);
  });

  it("gets the events of messages from then on, signed with the secret that an admin sees", async () => {
    await open({});
    const admin = await signIn("admin");
    const receiver = await openHook();
    expect((await set({ url: receiver.url, events }, admin)).status).toBe(200);
    const body = { merchantId: "m1", to: NUMBER, message: "Hello", type: "TRANSACTIONAL" };
    await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "m1", smsLimit: 10 } });
    await service.call("POST", "/api/v1/messages/sms", { body });
    await service.clock.advanceBy(MINUTE_MS);
    const [posted] = receiver.received;
    const shown = await readSecret(admin);
    expect([shown.status, shown.headers["cache-control"]]).toEqual([200, "no-store"]);
    expect(shown.body).toEqual({ secret: await service.callbackSecret() });
    const verified = { headers: posted?.headers ?? {}, body: posted?.body ?? "", now: service.clock.now() };
    expect(verifyWebhook(verified, shown.body.secret)).toEqual({ webhookId: posted?.headers["webhook-id"] });
    const entries = await listAsked(service.store, service.credential.tenantId);
    expect(entries[0]).toMatchObject({ operation: "getCallbackSecret", email: admin.email });
    expect(JSON.stringify([entries, dashboard.logged])).not.toContain(shown.body.secret);
  });

  it("is no longer stopped by a 410 once it is set again", async () => {
    await open({});
    const admin = await signIn("admin");
    await set({ url, events }, admin);
    const stopped = { tenantId: service.credential.tenantId, url };
    await service.store.write((tx) => stopSubscription(tx, stopped, service.clock.now()));
    expect((await read(admin)).stoppedAt).not.toBeNull();
    expect((await set({ url, events }, admin)).body.stoppedAt).toBeNull();
  });

  it.each([
    [{ url: "http://shop.example/", events }, "Expected an https URL; received http."],
    [{ url: "https://10.0.0.1/", events }, "Expected a host that is reachable from the public internet"],
    [{ url: "https://ada:secret@shop.example/", events }, "without a user name or password"],
    [{ url: "shop.example", events }, "the text is not a URL"],
    [{ url: `https://shop.example/${"a".repeat(2_048)}`, events }, "2048"],
    [{ url: "", events }, ""],
    [{ url, events: [] }, ""],
    [{ url, events: ["message.sent"] }, ""],
    [{ url, events: ["message.updated", "message.updated"] }, ""],
    [{ url }, ""],
    [{ url, events, tenantId: 2 }, ""],
  ])("is not set for %o", async (body, detail) => {
    await open({ allowPrivateCallbacks: false });
    const admin = await signIn("admin");
    const refused = await set(body, admin);
    expect([refused.status, refused.body.code]).toEqual([400, "validation_error"]);
    expect(refused.body.errors[0].detail).toContain(detail);
    expect(await read(admin)).toEqual(none);
  });

  it("and its secret are changed and shown only for admins of the whole tenant", async () => {
    await open({});
    await set({ url, events }, await signIn("admin"));
    for (const as of [
      await signIn("agent"),
      await signIn("viewer"),
      await signIn("auditor"),
      await signIn("admin", "m1"),
    ]) {
      const replies = [await set({ url: "https://evil.example/", events }, as), await remove(as), await readSecret(as)];
      expect(replies.map(({ status, body }) => [status, body.code])).toEqual(
        replies.map(() => [403, "merchant_scope_denied"]),
      );
    }
    const { tenantId } = service.credential;
    expect(await service.store.read((tx) => findSubscription(tx, tenantId))).toMatchObject({ url });
  });

  it("of another tenant stays as it is", async () => {
    await open({});
    const now = service.clock.now();
    const other = await service.store.write((tx) => createTenant(tx, { name: "Other", timezone: "UTC", now }));
    const admin = await signIn("admin");
    const ofOther = await signIn("admin", null, other.tenantId);
    await set({ url, events }, ofOther);
    await set({ url: "https://acme.example/", events }, admin);
    await remove(admin);
    expect(await read(ofOther)).toMatchObject({ url });
    expect((await readSecret(ofOther)).body.secret).not.toBe((await readSecret(admin)).body.secret);
  });

  it("has a secret that the operator has to repair if it cannot be opened", async () => {
    await open({});
    const { tenantId } = service.credential;
    const sealed = { tenantId, sealedSecret: "damaged", now: service.clock.now() };
    await service.store.write((tx) => insertCallbackSecret(tx, sealed));
    const refused = await readSecret(await signIn("admin"));
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
    expect(refused.body.detail).toContain("msgd callbacks secret --rotate");
  });
});

describe("callbacks", () => {
  beforeEach(() => open());

  it("are listed with their outcomes, the newest first, and shown with the posted body", async () => {
    const receiver = await openHook();
    const requestId = await callOut(receiver.url);
    const { callbacks, next } = await list();
    expect(next).toBeNull();
    expect(callbacks.map(({ webhookId }: { webhookId: string }) => webhookId)).toEqual(
      receiver.received.map(({ headers }) => headers["webhook-id"]).reverse(),
    );
    const posted = receiver.received.at(-1);
    const { timestamp } = JSON.parse(posted?.body ?? "");
    expect(callbacks[0]).toEqual({
      ...{ webhookId: posted?.headers["webhook-id"], type: "voice.tts_batch.finalized", url: receiver.url },
      ...{ status: "DELIVERED", attempts: 1, lastOutcome: "200", nextAttemptAt: null, requestId, merchantId: "m1" },
      ...{ messageId: expect.stringMatching(/^msg_/), at: timestamp, updatedAt: expect.any(String) },
    });
    const view = await show(callbacks[0].webhookId);
    expect(view).toEqual({ ...callbacks[0], body: posted?.body, restsUntil: null, obstacle: null });
    expect((await ask("GET", `/messages/${view.messageId}`)).body).toMatchObject({ channel: "VOICE", to: NUMBER });
  });

  it("are filtered by state, in pages without gaps", async () => {
    const receiver = await openHook(answering(410));
    const requestId = await callOut(receiver.url);
    const failed = (await list()).callbacks;
    const other = await openHook();
    await enqueue(other.url, { requestId: requestId + 1, count: 230 });
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const page = await list(next === "" ? "" : `?before=${next}`);
      sizes.push(page.callbacks.length);
      seen.push(...page.callbacks.map(({ webhookId }: { webhookId: string }) => webhookId));
      next = page.next;
    }
    expect(sizes).toEqual([100, 100, 30 + failed.length]);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(230)).toEqual(failed.map(({ webhookId }: { webhookId: string }) => webhookId));
    expect(await list("?status=FAILED")).toEqual({ callbacks: failed, next: null });
    expect((await list("?status=DELIVERED")).callbacks).toEqual([]);
    const pending = await list(`?status=PENDING&before=${seen[99]}`);
    expect(pending.callbacks).toHaveLength(100);
    expect((await list("?status=PENDING")).callbacks[0]).toMatchObject({
      ...{ status: "PENDING", attempts: 0, lastOutcome: null, requestId: null, merchantId: null, messageId: null },
    });
    expect(await list(`?before=evt_${"0".repeat(32)}`)).toEqual({ callbacks: [], next: null });
  });

  it.each(["?status=LOST", "?before=1", "?before=evt_x", "?limit=1000"])("are not listed for %s", async (query) => {
    expect((await ask("GET", `/callbacks${query}`)).body).toMatchObject({ status: 400, code: "validation_error" });
  });
});

describe("sending a callback again", () => {
  beforeEach(() => open());

  const isSigned = async ({ headers, body }: Receiver["received"][number]) => {
    const secret = await service.callbackSecret();
    const hmac = createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"));
    hmac.update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
    return headers["webhook-signature"] === `v1,${hmac.digest("base64")}`;
  };

  it("posts the callback once more, with the same webhook-id and body and a new signature", async () => {
    const receiver = await openHook();
    await callOut(receiver.url);
    const before = receiver.received.length;
    const first = receiver.received[0];
    const webhookId = String(first?.headers["webhook-id"]);
    await service.clock.advanceBy(DAY_MS);
    const { status, body } = await resend(webhookId);
    expect([status, body.webhookId]).toEqual([200, webhookId]);
    expect(body).toMatchObject({ status: "PENDING", attempts: 0, lastOutcome: null });
    expect(body.obstacle).toContain("still pending");
    await service.clock.advanceBy(MINUTE_MS);
    expect(receiver.received).toHaveLength(before + 1);
    const again = receiver.received.at(-1);
    expect(again?.headers["webhook-id"]).toBe(webhookId);
    expect(again?.body).toBe(first?.body);
    expect(Number(again?.headers["webhook-timestamp"])).toBeGreaterThan(Number(first?.headers["webhook-timestamp"]));
    expect(again !== undefined && (await isSigned(again))).toBe(true);
    expect(await show(webhookId)).toMatchObject({ status: "DELIVERED", attempts: 1, obstacle: null });
  });

  it("gives a failed callback as many attempts as a new one", async () => {
    const statuses = { now: 500 };
    const receiver = await openHook((response) => response.writeHead(statuses.now).end());
    await post(receiver.url, { requestId: 7, count: 1 });
    await service.clock.advanceBy(5 * DAY_MS);
    const [{ webhookId }] = (await list("?status=FAILED")).callbacks;
    expect(receiver.received).toHaveLength(10);
    await resend(webhookId);
    await service.clock.advanceBy(MINUTE_MS);
    expect(await show(webhookId)).toMatchObject({ status: "PENDING", attempts: 2, lastOutcome: "500" });
    statuses.now = 204;
    await service.clock.advanceBy(10 * MINUTE_MS);
    expect(await show(webhookId)).toMatchObject({ status: "DELIVERED", attempts: 3, lastOutcome: "204" });
    expect(receiver.received).toHaveLength(13);
  });

  it("is refused while the callback is pending, and after its receiver answered 410", async () => {
    const receiver = await openHook(answering(410));
    await enqueue(receiver.url, { requestId: 7, count: 1 });
    const [{ webhookId }] = (await list()).callbacks;
    const pending = await resend(webhookId);
    expect([pending.status, pending.body.code]).toEqual([409, "illegal_transition"]);
    expect(pending.body.detail).toContain("It is still pending");
    await callOut((await openHook()).url);
    expect(await show(webhookId)).toMatchObject({ status: "FAILED", lastOutcome: "410" });
    const gone = await resend(webhookId);
    expect([gone.status, gone.body.code]).toEqual([409, "illegal_transition"]);
    expect(gone.body.detail).toContain("answered 410");
    expect((await show(webhookId)).obstacle).toBe(gone.body.detail);
    await service.clock.advanceBy(8 * DAY_MS);
    expect((await resend(webhookId)).body.detail).toContain("removed after 7 days");
    expect(receiver.received).toHaveLength(1);
  });

  it("posts the callback once, even if it is requested twice at the same time", async () => {
    const held: ServerResponse[] = [];
    const receiver = await openHook((response, index) => {
      if (index === 0) response.writeHead(200).end();
      else held.push(response);
    });
    await post(receiver.url, { requestId: 7, count: 1 });
    const { webhookId } = (await list()).callbacks.at(-1);
    const replies = await Promise.all(Array.from({ length: 5 }, () => resend(webhookId)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    await expect.poll(() => held.length).toBe(1);
    held[0]?.writeHead(200).end();
    await service.clock.advanceBy(10 * MINUTE_MS);
    expect(receiver.received).toHaveLength(2);
  });

  it("keeps the order of the call's callbacks", async () => {
    const held: ServerResponse[] = [];
    const receiver = await openHook((response, index) => {
      if (index === 3) held.push(response);
      else response.writeHead(200).end();
    });
    await post(receiver.url, { requestId: 7, count: 3 });
    const idOf = ({ headers }: Receiver["received"][number]) => String(headers["webhook-id"]);
    const [first = "", second = "", third = ""] = receiver.received.map(idOf);
    await resend(third);
    await expect.poll(() => held.length).toBe(1);
    for (const webhookId of [second, first]) expect((await resend(webhookId)).status).toBe(200);
    held[0]?.writeHead(200).end();
    await service.clock.advanceBy(MINUTE_MS);
    expect(receiver.received.slice(3).map(idOf)).toEqual([third, first, second]);
    expect(receiver.mostOpen).toBe(1);
  });

  it("is refused if the callback's recipient was erased", async () => {
    const receiver = await openHook();
    await callOut(receiver.url);
    const { callbacks } = await list();
    const { tenantId } = service.credential;
    const erasureId = await service.store.write((tx) =>
      beginErasure(tx, { tenantId, merchantId: null }, { contact: NUMBER, digest: "d", now: service.clock.now() }),
    );
    for (let state = ""; state !== "ended"; ) {
      state = (await service.store.write((tx) => continueErasure(tx, erasureId, service.clock.now()))).state;
    }
    const refused = await resend(callbacks.at(-1).webhookId);
    expect([refused.status, refused.body.detail]).toEqual([409, "Its recipient was erased."]);
    // the batch's callback contains no number
    expect((await resend(callbacks[0].webhookId)).status).toBe(200);
  });
});

describe("receivers", () => {
  beforeEach(() => open());

  it("are listed with their counts, the busiest first, and whether they are paused", async () => {
    const taking = await openHook();
    const refusing = await openHook(answering(410));
    await callOut(taking.url);
    await callOut(taking.url);
    await callOut(refusing.url);
    await enqueue("https://hooks.example.com/", { requestId: 9, count: 1 });
    const { body } = await ask("GET", "/receivers");
    const [delivered, failed] = [taking.received.length, (await list("?status=FAILED")).callbacks.length];
    expect(failed).toBeGreaterThan(0);
    expect(body).toEqual([
      // a receiver is a host, whatever its port
      expect.objectContaining({
        ...{ receiver: "127.0.0.1", delivered, failed, pending: 0, rests: 0 },
        answers: [
          { outcome: "410", count: failed, lastAt: expect.any(String) },
          { outcome: "200", count: delivered, lastAt: expect.any(String) },
        ],
      }),
      expect.objectContaining({
        ...{ receiver: "hooks.example.com", delivered: 0, failed: 0, pending: 1, triedAt: null, answers: [] },
      }),
    ]);
  });

  it("get their failed callbacks again since a time, but not earlier or delivered ones", async () => {
    const statuses = { now: 500 };
    const receiver = await openHook((response) => response.writeHead(statuses.now).end());
    await post(receiver.url, { requestId: 7, count: 2 });
    await service.clock.advanceBy(5 * DAY_MS);
    const since = new Date(service.clock.now()).toISOString();
    await post(receiver.url, { requestId: 8, count: 2 });
    await service.clock.advanceBy(5 * DAY_MS);
    statuses.now = 200;
    await post(receiver.url, { requestId: 9, count: 1 });
    const before = receiver.received.length;
    const again = () =>
      service.app.inject({
        ...{ method: "POST", url: "/dashboard/api/receivers/resends", headers: { host: "127.0.0.1:4800" } },
        payload: { receiver: "127.0.0.1", since },
      });
    expect((await again()).json()).toEqual({ resent: 2, next: null });
    await service.clock.advanceBy(MINUTE_MS);
    expect(receiver.received).toHaveLength(before + 2);
    expect((await again()).json()).toEqual({ resent: 0, next: null });
  });
});

it("a callback that is sent again waits while its receiver is paused", async () => {
  const url = "https://hooks.example.com/";
  const posted: string[] = [];
  const silence = { status: undefined, outcome: "timeout" };
  const isSilent = { now: false };
  const post: Poster["post"] = async ({ headers }) => {
    posted.push(headers["webhook-id"] ?? "");
    return isSilent.now ? silence : { status: 200, outcome: "200" };
  };
  await open({ isDevelopment: true, poster: { post, close: () => {} } });
  await callOut(url);
  const [{ webhookId }] = (await list()).callbacks;
  isSilent.now = true;
  await resend(posted[0] ?? "");
  await service.clock.advanceBy(1_000);
  isSilent.now = false;
  const before = posted.length;
  const { body } = await resend(webhookId);
  expect(Date.parse(body.restsUntil)).toBeGreaterThan(service.clock.now());
  expect((await ask("GET", "/health")).body.restingReceivers).toEqual([
    { receiver: "hooks.example.com", rests: 1, triedAt: body.restsUntil },
  ]);
  await service.clock.advanceBy(2_000);
  expect(posted).toHaveLength(before);
  await service.clock.advanceBy(MINUTE_MS);
  expect(posted.slice(before).sort()).toEqual([posted[0], webhookId].sort());
  expect((await ask("GET", "/health")).body.restingReceivers).toEqual([]);
});

describe("users", () => {
  beforeEach(() => open({ isDevelopment: false }));

  it("see receivers only if they see the whole tenant, and may resend to them if they are agents or admins", async () => {
    const statuses: number[][] = [];
    for (const [role, merchantId] of [
      ["viewer", null],
      ["agent", null],
      ["admin", "m1"],
    ] as const) {
      const { token } = await signIn(role, merchantId);
      const headers = { host: "127.0.0.1:4800", authorization: `Bearer ${token}` };
      const payload = { receiver: "hooks.example.com", since: "2026-01-01T00:00:00Z" };
      const resent = await service.app.inject({
        ...{ method: "POST", url: "/dashboard/api/receivers/resends", headers, payload },
      });
      statuses.push([(await ask("GET", "/receivers", { token })).status, resent.statusCode]);
    }
    expect(statuses).toEqual([
      [200, 403],
      [200, 200],
      [403, 403],
    ]);
  });

  it("see callbacks, and may send them again if they are agents or admins", async () => {
    const receiver = await openHook();
    await callOut(receiver.url);
    const statuses: number[][] = [];
    for (const role of ["viewer", "agent", "admin"] as const) {
      const user = await signIn(role);
      const [{ webhookId }] = (await list("", user)).callbacks;
      const replies = [await ask("GET", `/callbacks/${webhookId}`, user), await resend(webhookId, user)];
      statuses.push([...replies.map(({ status }) => status), (await ask("GET", "/health", user)).status]);
      await service.clock.advanceBy(MINUTE_MS);
    }
    expect(statuses).toEqual([
      [200, 403, 403],
      [200, 200, 403],
      [200, 200, 200],
    ]);
  });

  it("who view or resend a callback are audited with its recipient", async () => {
    const receiver = await openHook();
    await callOut(receiver.url);
    const user = await signIn("admin");
    const webhookId = (await list("", user)).callbacks.at(-1).webhookId as string;
    await show(webhookId, user);
    await resend(webhookId, user);
    const { tenantId } = service.credential;
    const entries = await listAsked(service.store, tenantId);
    expect(entries.map(({ operation, target }) => [operation, target])).toEqual([
      ["resendCallback", `webhookId ${webhookId}`],
      ["getCallback", `webhookId ${webhookId}`],
      ["listCallbacks", null],
    ]);
    const about = (await ask("GET", `/audit?about=${encodeURIComponent(NUMBER)}`, user)).body.entries;
    expect(about.map(({ operation }: { operation: string }) => operation)).toEqual(["resendCallback", "getCallback"]);
  });

  it("of one merchant see only the merchant's callbacks, however many callbacks other merchants have", async () => {
    const receiver = await openHook();
    const own = await callOut(receiver.url, "m1");
    const ownCount = receiver.received.length;
    const others = await callOut(receiver.url, "m2");
    const admin = await signIn("admin");
    const [{ webhookId: foreign }] = (await list("", admin)).callbacks;
    const user = await signIn("agent", "m1");
    const seen = await list("", user);
    expect(seen.callbacks).toHaveLength(ownCount);
    expect(seen.callbacks.every(({ requestId }: { requestId: number }) => requestId === own)).toBe(true);
    expect(seen.next).toBeNull();
    expect((await ask("GET", `/callbacks/${foreign}`, user)).status).toBe(404);
    expect((await resend(foreign, user)).status).toBe(404);
    expect((await resend(seen.callbacks[0].webhookId, user)).status).toBe(200);
    await service.clock.advanceBy(MINUTE_MS);

    await enqueue(receiver.url, { requestId: others, count: 1_000 });
    const first = await list("", user);
    expect(first.callbacks).toEqual([]);
    const second = await list(`?before=${first.next}`, user);
    expect([second.callbacks.length, second.next]).toEqual([ownCount, null]);
    await service.clock.advanceBy(10 * MINUTE_MS);
  });
});

describe("the health page", () => {
  const none = { count: 0, isMore: false };

  it("of a development server shows the figures of the tenant and of the installation", async () => {
    await open();
    const silent = await openHook(() => {});
    await enqueue(silent.url, { requestId: 7, count: 3 });
    const { tenantId } = await service.issue({ tenant: "Other" });
    const { body } = await ask("GET", "/health");
    expect(body).toMatchObject({
      ...{ isReady: true, obstacle: null, version: null, engine: expect.stringMatching(/^(SQLite|PostgreSQL)$/) },
      ...{ queued: none, queuedSince: null, dispatched: none, dispatchedSince: null, inDoubt: none, unknown: none },
      ...{ callbacksPending: { count: 3, isMore: false }, callbacksSince: expect.any(String) },
      ...{ restingReceivers: [], hasMoreResting: false },
    });
    expect((await ask("GET", "/health", { tenantId })).body).toMatchObject({ callbacksPending: none });
    const { body: all } = await ask("GET", "/installation");
    expect(all).toMatchObject({ waiting: none, callbacksPending: { count: 3, isMore: false }, jobsDue: none });
    await silent.close();
  });

  it("counts messages that are not sent yet: new messages, and those in a carrier's queue", async () => {
    await open();
    const { store, clock } = service;
    const tenantId = 1;
    const accept = (messageId: string, tenant = tenantId) =>
      store.write(async (tx) => {
        const words = { channel: "SMS", type: "MARKETING", purpose: "SEND", subject: null, content: "Hi" } as const;
        const free = { units: 0, creditUnits: 0, period: "2026-01-01", now: clock.now() };
        const recipient = NUMBER;
        await addMessage(tx, { messageId, tenantId: tenant, merchantId: "m1", recipient, ...words, ...free });
      });
    const enter = (messageId: string) =>
      store.write(async (tx) => {
        const row = { messageId, tenantId, createdAt: clock.now(), asks: 0, isQueued: 1, giveUpAt: null } as const;
        await enterQueue(tx, row, { carrier: "smpp-a", messageClass: 3, expiresAt: clock.now() + DAY_MS });
      });
    await store.write((tx) =>
      insertCarrier(tx, {
        ...{ name: "smpp-a", tenantId, channel: "SMS", isSecond: 0, kind: "smpp" },
        ...{ sealedSettings: "", setAt: clock.now() },
      }),
    );
    const since = new Date(clock.now()).toISOString();
    // the dispatcher is not notified of these messages
    await accept("msg_waiting");
    await enter("msg_waiting");
    await clock.advanceBy(1);
    await accept("msg_queued");
    const other = (await service.issue({ tenant: "Other" })).tenantId;
    await accept("msg_other", other);
    const { body } = await ask("GET", "/health");
    expect(body).toMatchObject({ queued: { count: 2, isMore: false }, queuedSince: since, dispatched: none });
    expect((await ask("GET", "/installation")).body.waiting).toEqual({ count: 3, isMore: false });
    expect((await ask("GET", "/health", { tenantId: other })).body.queued).toEqual({ count: 1, isMore: false });
  });

  it("counts messages that a carrier has, and those that ended UNKNOWN", async () => {
    await open();
    await service.call("POST", "/api/v1/merchants", {
      body: { merchantId: "m1", displayName: "m1", smsLimit: 100 },
    });
    const send = (to: string) =>
      service.call("POST", "/api/v1/messages/sms", { body: { merchantId: "m1", to, message: "Hi", type: "OTP" } });
    // the simulated carrier never reports the outcome of this one
    await send("+12025550102");
    await service.clock.advanceBy(MINUTE_MS);
    const before = (await ask("GET", "/health")).body;
    await service.clock.advanceBy(4 * DAY_MS);
    const after = (await ask("GET", "/health")).body;
    expect([before.dispatched.count, before.dispatchedSince !== null, before.unknown.count]).toEqual([1, true, 0]);
    expect([after.dispatched.count, after.dispatchedSince, after.unknown.count]).toEqual([0, null, 1]);
    const { tenantId } = await service.issue({ tenant: "Other" });
    expect((await ask("GET", "/health", { tenantId })).body.unknown).toEqual(none);
  });

  it("of a production server is only for admins of the whole tenant, and shows no figures of other tenants", async () => {
    await open({ isDevelopment: false });
    const { tenantId } = await service.store.write((tx) =>
      createTenant(tx, { name: "Other", timezone: "UTC", now: service.clock.now() }),
    );
    await enqueue("https://hooks.example.com/", { requestId: 9, count: 2, tenantId });
    const { body } = await ask("GET", "/health", await signIn("admin"));
    expect(body).toMatchObject({ isReady: true, callbacksPending: none });
    const scoped = await ask("GET", "/health", await signIn("admin", "m1"));
    expect([scoped.status, scoped.body.code]).toEqual([403, "merchant_scope_denied"]);
  });
});
