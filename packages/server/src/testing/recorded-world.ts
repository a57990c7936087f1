// An installation with rows of every kind. `npm run record:data` records it at each release, and tests open the recorded one
// with the current build: nothing may be lost, and everything must go on.

import type { InjectOptions } from "fastify";
import { createVirtualClock, type VirtualClock } from "../development/clocks.ts";
import { cancelQueued } from "../dispatch/messages/operator-actions.ts";
import { saveSubscription } from "../domain/callbacks/event-rows.ts";
import { insertCarrier } from "../domain/carriers/rows.ts";
import { toStoredProvisioning } from "../domain/provisioning/operations.ts";
import { replaceProvisioning } from "../domain/provisioning/rows.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { createTenant, endCredential, issueCredential, rotateCredential } from "../domain/tenancy/tenants.ts";
import { createUser } from "../domain/users/users.ts";
import { pepper, secrets } from "../in-process.ts";
import type { DatabaseLocation } from "../platform/database-url.ts";
import { openService, type Poster, type Service } from "../service.ts";
import { PASSWORD, placeholderPages } from "./dashboard-service.ts";
import { exampleProvisioning } from "./provisioning-example.ts";
import { goodCampaign } from "./registration.ts";

interface Key {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** A POST, and the ids in its reply. */
export interface RecordedWrite {
  readonly by: keyof RecordedWorld["keys"];
  readonly url: string;
  readonly key: string;
  readonly body: unknown;
  readonly ids: Readonly<Record<string, string>>;
}

/** What a recorded installation answered before its server was stopped. */
export interface RecordedWorld {
  /** When its last server was stopped, in epoch milliseconds. */
  readonly stoppedAt: number;
  /** Keys of the recorded installation only. `rotated` is the older secret of `tenant`; `live` is of another tenant. */
  readonly keys: Readonly<Record<"tenant" | "rotated" | "merchant" | "revoked" | "live", Key>>;
  /** The signed-in user's session. */
  readonly session: string;
  /** Every write that has an Idempotency-Key. */
  readonly writes: readonly RecordedWrite[];
  /** Messages that were accepted and have not been handed over. */
  readonly waiting: readonly string[];
  /** Ids of callbacks that no receiver has taken. */
  readonly untaken: readonly string[];
  /** Replies to GET requests by their path. */
  readonly replies: Readonly<Record<string, unknown>>;
}

const HOUR_MS = 3_600_000;
const EMAIL = "ann@acme.example";
const DOWN = "https://down.example/hook";
const UP = "https://up.example/hook";
const ID = /^(?:message|request|batch|payment|brand|campaign|number)Id$/;

/** Receivers of callbacks, in memory. Those of `DOWN` answer 503 until `areUp`. */
export interface Receivers extends Poster {
  areUp: boolean;
  readonly posted: { readonly url: string; readonly id: string; readonly isTaken: boolean }[];
}

export function createReceivers({ areUp }: { areUp: boolean }): Receivers {
  const receivers: Receivers = {
    areUp,
    posted: [],
    async post({ url, headers }) {
      const isTaken = receivers.areUp || url !== DOWN;
      receivers.posted.push({ url, id: headers["webhook-id"] ?? "", isTaken });
      return isTaken ? { status: 200, outcome: "200" } : { status: 503, outcome: "503" };
    },
    close() {},
  };
  return receivers;
}

export interface OpenedWorld {
  readonly service: Service;
  readonly clock: VirtualClock;
  call(method: "GET" | "POST", url: string, options?: CallOptions): Promise<Answer>;
}

interface CallOptions {
  /** A key, or the token of a session. */
  readonly as: Key | string;
  readonly body?: unknown;
  readonly key?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has a reply of its own
  readonly body: any;
}

export interface WorldOptions {
  readonly database: DatabaseLocation;
  readonly simulator: DatabaseLocation;
  readonly now: number;
  readonly receivers: Receivers;
}

/** Opens the server of the installation, which does not dispatch yet. */
export async function openWorld({ database, simulator, now, receivers }: WorldOptions): Promise<OpenedWorld> {
  const clock = createVirtualClock(now);
  const service = await openService({
    ...{ database, simulator, pepper, secrets, clock },
    consentPolicy: "strict",
    idempotencyDays: 7,
    databaseConnections: 4,
    dashboardFiles: placeholderPages(),
    passwordCost: { N: 2, r: 1, p: 1 },
    poster: receivers,
    isAlone: "file" in database,
  });
  clock.watch(() => service.isBusy());
  return {
    service,
    clock,
    async call(method, url, options) {
      const { as, body, key } = options ?? { as: "" };
      const credentials: Record<string, string> =
        typeof as === "string"
          ? { authorization: `Bearer ${as}` }
          : { "x-api-key": as.apiKey, "x-api-secret": as.apiSecret };
      const headers = { host: "127.0.0.1:4800", ...credentials, ...(key && { "idempotency-key": key }) };
      const request: InjectOptions = { method, url, headers };
      if (body !== undefined) request.payload = body as NonNullable<InjectOptions["payload"]>;
      const reply = await service.app.inject(request);
      return { status: reply.statusCode, headers: reply.headers, body: reply.body === "" ? undefined : reply.json() };
    },
  };
}

/** Returns the ids of a reply. */
export function idsOf(reply: object): Record<string, string> {
  return Object.fromEntries(Object.entries(reply).filter(([name, id]) => ID.test(name) && typeof id === "string"));
}

/** Fills an empty database over four days, and stops its server. */
export async function recordWorld(options: Omit<WorldOptions, "now" | "receivers">): Promise<RecordedWorld> {
  const receivers = createReceivers({ areUp: false });
  const first = await openWorld({ ...options, now: Date.UTC(2026, 0, 12, 12), receivers });
  const keys = await setUp(first);
  const writes: RecordedWrite[] = [];
  const send = (world: OpenedWorld) => async (by: RecordedWrite["by"], path: string, body: object) => {
    const [url, key] = [`/api/v1${path}`, `recorded-${writes.length + 1}`];
    const reply = await world.call("POST", url, { as: keys[by], body, key });
    if (reply.status !== 200) throw new Error(`${url}: ${reply.status} ${JSON.stringify(reply.body)}`);
    writes.push({ by, url, key, body, ids: idsOf(reply.body) });
    return idsOf(reply.body);
  };
  await first.service.start();
  await sendEndedWork(send(first));
  await first.clock.advanceBy(80 * HOUR_MS);
  await sendOpenWork(send(first));
  await first.clock.advanceBy(10_000);
  const stoppedAt = first.clock.now();
  await first.service.close();

  // a server that does not dispatch leaves everything as it was accepted
  const last = await openWorld({ ...options, now: stoppedAt, receivers });
  const waiting = await sendWaitingWork(send(last));
  const { messageId = "" } = await send(last)("tenant", "/messages/sms", text("+12025550100", "REMINDER"));
  await last.service.store.write((tx) => cancelQueued(tx, [messageId], { words: "not needed", now: stoppedAt }));
  const signIn = await last.call("POST", "/dashboard/api/session", {
    as: "",
    body: { email: EMAIL, password: PASSWORD },
  });
  const replies: Record<string, unknown> = {};
  for (const path of readPaths) replies[path] = (await last.call("GET", path, { as: keys.tenant })).body;
  const untaken = await last.service.store.read((tx) =>
    tx.all<{ id: string }>("SELECT webhook_id AS id FROM callbacks WHERE status = 'PENDING' ORDER BY webhook_id"),
  );
  await last.service.close();
  return {
    stoppedAt,
    keys,
    session: signIn.body.token,
    writes,
    waiting,
    untaken: untaken.map(({ id }) => id),
    replies,
  };
}

/** Operations whose replies do not change while no server dispatches. */
const readPaths = [
  ...["/api/v1/merchants", "/api/v1/merchants/m1", "/api/v1/consents?merchantId=m1", "/api/v1/alerts"],
  ...["/api/v1/merchants/m1/messaging/status", "/api/v1/voice/provisioning"],
  "/api/v1/reports/usage?from=2026-01-01&to=2026-01-31",
];

async function setUp({ service, clock, call }: OpenedWorld) {
  const now = clock.now();
  const made = await service.store.write(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: "Acme", timezone: "America/New_York", mode: "test", now });
    const other = await createTenant(tx, { name: "Bright Live", timezone: "UTC", now });
    const rotated = await issueCredential(tx, { tenantId, merchantId: null, name: "ours", pepper, now });
    const tenant = await rotateCredential(tx, { apiKey: rotated.apiKey, overlapMs: 400 * HOUR_MS, pepper, now });
    const revoked = await issueCredential(tx, { tenantId, merchantId: null, pepper, now });
    await endCredential(tx, revoked.apiKey, now);
    const live = await issueCredential(tx, { tenantId: other.tenantId, merchantId: null, pepper, now });
    for (const [channel, kind] of [
      ["SMS", "smpp"],
      ["EMAIL", "smtp"],
    ] as const) {
      const slot = { name: `${kind}-1`, tenantId: other.tenantId, channel, isSecond: 0 } as const;
      const settings = JSON.stringify({ host: "carrier.example", password: "of no account" });
      const sealedSettings = secrets.seal(settings, bindCarrier(slot));
      await insertCarrier(tx, { ...slot, kind, sealedSettings, setAt: now });
    }
    await saveSubscription(tx, { tenantId, url: DOWN, tellsUpdates: 1, tellsTexts: 1, setAt: now });
    await replaceProvisioning(tx, tenantId, toStoredProvisioning(exampleProvisioning(tenantId), secrets.seal), now);
    const { token } = await createUser(tx, {
      ...{ tenantId, merchantId: null, email: EMAIL, role: "admin", pepper, now },
    });
    return { tenantId, token, rotated, tenant, revoked, live };
  });
  const quota = { smsLimit: 200, smsCredits: 50, voiceMinutesLimit: 100, emailLimit: 100 };
  for (const [as, merchantId] of [
    [made.tenant, "m1"],
    [made.tenant, "m2"],
    [made.live, "m1"],
  ] as const) {
    await call("POST", "/api/v1/merchants", {
      as,
      body: { merchantId, displayName: `Merchant ${merchantId}`, ...quota },
    });
  }
  const merchant = await service.store.write((tx) =>
    issueCredential(tx, { tenantId: made.tenantId, merchantId: "m1", pepper, now }),
  );
  for (const [channel, contact, status] of [
    ["SMS", "+12025550100", "OPT_IN"],
    ["SMS", "+12025550150", "OPT_IN"],
    ["SMS", "+13125550100", "OPT_OUT"],
    ["VOICE", "+12025550100", "OPT_IN"],
    ["VOICE", "+12025550130", "OPT_IN"],
    ["VOICE", "+12025550132", "OPT_IN"],
    ["VOICE", "+61291234567", "OPT_IN"],
    ["EMAIL", "delivered@simulator.example", "OPT_IN"],
  ]) {
    const body = { merchantId: "m1", channel, contact, status, source: "form" };
    await call("POST", "/api/v1/consents", { as: made.tenant, body });
  }
  await call("POST", "/dashboard/api/password", { as: "", body: { link: made.token, password: PASSWORD } });
  const { tenant, rotated, revoked, live } = made;
  const plain = ({ apiKey, apiSecret }: Key): Key => ({ apiKey, apiSecret });
  const keys = {
    ...{ tenant: plain(tenant), rotated: plain(rotated), merchant: plain(merchant) },
    ...{ revoked: plain(revoked), live: plain(live) },
  };
  return keys;
}

type Send = (by: RecordedWrite["by"], path: string, body: object) => Promise<Record<string, string>>;

const text = (to: string, type = "TRANSACTIONAL") => ({ merchantId: "m1", to, message: `Hello ${to}`, type });
const speech = { merchantId: "m1", messageText: "Your table is ready.", useCase: "REMINDER" };

/** Work that ends within 80 hours, in every outcome. */
async function sendEndedWork(send: Send): Promise<void> {
  for (const ending of [
    "00",
    "01",
    "02",
    "03",
    "04",
    "05",
    "10",
    "12",
    "17",
    "18",
    "20",
    "21",
    "50",
    "53",
    "60",
    "61",
  ]) {
    await send("tenant", "/messages/sms", text(`+120255501${ending}`));
  }
  // five failures in a row raise an alert
  for (const area of ["212", "312", "415", "617", "702"]) {
    await send("tenant", "/messages/sms", text(`+1${area}5550120`));
  }
  await send("merchant", "/messages/sms", text("+12125550100", "OTP"));
  const long = { merchantId: "m1", to: "delivered@simulator.example", subject: "Long", type: "TRANSACTIONAL" };
  await send("tenant", "/messages/email", { ...long, body: "<p>Thank you</p>".repeat(1_200) });
  for (const name of ["delivered", "bounced", "complained", "timeout"]) {
    const body = { merchantId: "m1", to: `${name}@simulator.example`, subject: "Receipt", body: "<p>Thanks</p>" };
    await send("tenant", "/messages/email", { ...body, type: "TRANSACTIONAL" });
  }
  await send("tenant", "/messages/voice", { merchantId: "m1", to: "+12025550100", text: "Hello", type: "OTP" });
  await send("tenant", "/voice/tts-calls", { ...speech, toNumber: "+12025550100", callbackUrl: UP });
  const toNumbers = ["+12025550100", "+12025550130", "+12025550132", "+12025550137"];
  await send("tenant", "/voice/tts-calls", { ...speech, toNumbers, callbackUrl: UP });
  await send("tenant", "/billing/upgrade", { merchantId: "m1", channel: "SMS", units: 100 });
  await send("tenant", "/billing/upgrade", { merchantId: "m1", channel: "SMS", units: 10, paymentMethodId: "2" });
  const brand = { legalBusinessName: "Acme LLC", businessType: "PRIVATE_PROFIT", country: "US" };
  await send("tenant", "/merchants/m1/messaging/brand", brand);
  await send("tenant", "/merchants/m1/messaging/campaign", goodCampaign);
  await send("tenant", "/merchants/m1/messaging/numbers", { phoneNumber: "+12025550199" });
}

/** Work that is under way when the server is stopped. */
async function sendOpenWork(send: Send): Promise<void> {
  for (const ending of ["00", "01", "02", "05"]) await send("tenant", "/messages/sms", text(`+141555501${ending}`));
  const toNumbers = ["+12025550100", "+12025550139", "+12025550101"];
  await send("tenant", "/voice/tts-calls", { ...speech, toNumbers, callbackUrl: DOWN });
  await send("tenant", "/billing/upgrade", { merchantId: "m1", channel: "SMS", units: 20, paymentMethodId: "7700" });
  await send("tenant", "/merchants/m2/messaging/brand", { legalBusinessName: "Second LLC" });
  await send("live", "/messages/sms", text("+12025550111"));
}

/** Work that no server has begun. Returns the ids of its messages. */
async function sendWaitingWork(send: Send): Promise<string[]> {
  const waiting: string[] = [];
  for (const ending of ["00", "03", "10"]) {
    const { messageId = "" } = await send("tenant", "/messages/sms", text(`+161755501${ending}`));
    waiting.push(messageId);
  }
  const mail = { merchantId: "m1", to: "delivered@simulator.example", subject: "Waits", body: "Hello" };
  const { messageId = "" } = await send("merchant", "/messages/email", { ...mail, type: "TRANSACTIONAL" });
  waiting.push(messageId);
  // it is early morning in Sydney, so the call is scheduled
  const offer = { ...speech, useCase: "promotion", toNumber: "+61291234567", callbackUrl: DOWN };
  await send("tenant", "/voice/tts-calls", offer);
  await send("tenant", "/billing/upgrade", { merchantId: "m1", channel: "EMAIL", units: 100 });
  return waiting;
}
