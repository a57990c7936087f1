// One Idempotency-Key used at several instances at once, for every operation that accepts one: one effect, the same reply.

import { type OperationId, operations } from "@msgctl/contract";
import type { LightMyRequestResponse } from "fastify";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Instances, openInstances } from "./testing/instances.ts";
import { exampleProvisioning, storeProvisioning } from "./testing/provisioning-example.ts";
import { goodCampaign } from "./testing/registration.ts";

const AT_ONCE = 6;
const to = "+12025550100";
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `+1202555${1_000 + index}`);

let instances: Instances;
let messageId: string;
let campaignId: number;
let numberId: number;

beforeEach(async () => {
  instances = await openInstances(2, { consentPolicy: "opt_out_only" });
  await storeProvisioning((instances.services[0] as Instances["services"][0]).store, exampleProvisioning(1));
  const limits = { smsLimit: 1_000, emailLimit: 1_000, voiceMinutesLimit: 10_000 };
  for (const merchantId of ["m1", "default"]) await post("/merchants", { merchantId, displayName: "One", ...limits });
  ({ messageId } = await post("/messages/sms", { merchantId: "m1", to, message: "Hello", type: "OTP" }));
  await post("/merchants/m1/messaging/brand", { legalBusinessName: "One" });
  const campaign = await post("/merchants/m1/messaging/campaign", goodCampaign);
  campaignId = campaign.id;
  const active = { ...goodCampaign, campaignReference: "active", status: "ACTIVE" };
  await post("/merchants/m1/messaging/campaign", active);
  ({ id: numberId } = await post("/merchants/m1/messaging/numbers", { phoneNumber: "+12025550142" }));
});
afterEach(() => instances.close());

async function post(path: string, body: object) {
  const reply = await instances.call(0, "POST", `/api/v1${path}`, { body });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}

async function count(table: string): Promise<number> {
  const { store } = instances.services[0] as Instances["services"][0];
  const row = await store.read((tx) => tx.get<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`));
  return row?.rows ?? 0;
}

interface Case {
  readonly path?: () => string;
  readonly body: () => object;
  /** Changes the body to that of another request. */
  readonly change: object;
  /** A table and the number of rows that one call adds to it. */
  readonly adds: readonly [table: string, rows: number];
}

type KeyedId = { [K in OperationId]: (typeof operations)[K]["idempotent"] extends true ? K : never }[OperationId];

const sms = { merchantId: "m1", to, message: "Hello", type: "OTP" };
const email = { to: "ada@example.com", subject: "Hi", body: "Hello" };
const speech = { merchantId: "m1", messageText: "Hello", useCase: "OTP" };

const cases: Readonly<Record<KeyedId, Case>> & Readonly<Record<"createTtsCalls in slices", Case>> = {
  upsertMerchant: {
    body: () => ({ merchantId: "new", displayName: "New", smsCredits: 5 }),
    change: { smsCredits: 6 },
    adds: ["merchants", 1],
  },
  recordConsent: {
    body: () => ({ merchantId: "m1", channel: "SMS", contact: to, status: "OPT_IN" }),
    change: { status: "OPT_OUT" },
    adds: ["consent_history", 1],
  },
  sendSms: { body: () => sms, change: { message: "Other" }, adds: ["messages", 1] },
  sendVoice: {
    body: () => ({ merchantId: "m1", to, text: "Hello", type: "OTP" }),
    change: { text: "Other" },
    adds: ["tts_calls", 1],
  },
  sendEmail: {
    body: () => ({ merchantId: "m1", type: "OTP", ...email }),
    change: { body: "Other" },
    adds: ["messages", 1],
  },
  sendDirectSms: { body: () => ({ to, message: "Hello" }), change: { message: "Other" }, adds: ["messages", 1] },
  sendDirectEmail: { body: () => email, change: { subject: "Other" }, adds: ["messages", 1] },
  createTtsCalls: {
    body: () => ({ ...speech, toNumbers: numbers(3) }),
    change: { messageText: "Other" },
    adds: ["tts_calls", 3],
  },
  "createTtsCalls in slices": {
    path: () => operations.createTtsCalls.path,
    body: () => ({ ...speech, toNumbers: numbers(450) }),
    change: { messageText: "Other" },
    adds: ["tts_calls", 450],
  },
  requestUpgrade: {
    body: () => ({ merchantId: "m1", channel: "SMS", units: 100 }),
    change: { units: 200 },
    adds: ["payments", 1],
  },
  registerBrand: {
    path: () => "/api/v1/merchants/m1/messaging/brand",
    body: () => ({ legalBusinessName: "Two" }),
    change: { legalBusinessName: "Three" },
    adds: ["brands", 1],
  },
  registerCampaign: {
    path: () => "/api/v1/merchants/m1/messaging/campaign",
    body: () => ({ ...goodCampaign, description: "Another campaign of the same merchant, for its patients." }),
    change: { optInMessage: "Other" },
    adds: ["campaigns", 1],
  },
  registerNumber: {
    path: () => "/api/v1/merchants/m1/messaging/numbers",
    body: () => ({ phoneNumber: "+12025550143" }),
    change: { phoneNumber: "+12025550144" },
    adds: ["numbers", 1],
  },
  assignNumber: {
    path: () => `/api/v1/merchants/m1/messaging/numbers/${numberId}/assign`,
    body: () => ({ campaignId: campaignId }),
    change: { campaignId: 1 },
    adds: ["jobs", 1],
  },
  reportSipPresence: {
    body: () => ({ sipUsername: "dana", registered: true }),
    change: { registered: false },
    adds: ["idempotency_keys", 1],
  },
  simulateReply: {
    body: () => ({ tenantId: "1", messageId, replyBody: "STOP" }),
    change: { replyBody: "START" },
    adds: ["consent_history", 1],
  },
};

const isDone = ({ statusCode }: LightMyRequestResponse) => statusCode < 300;
const isReplay = ({ headers }: LightMyRequestResponse) => headers["idempotent-replayed"] === "true";

describe.each(Object.entries(cases))("%s", (name, { path, body, change, adds: [table, rows] }) => {
  const url = () => path?.() ?? operations[name as KeyedId].path;

  /** Repeats the call like a client, after the time that a 409 requests. */
  async function callUntilDone(instance: number, key: string): Promise<LightMyRequestResponse> {
    for (;;) {
      const reply = await instances.call(instance, "POST", url(), { body: body(), key });
      if (reply.statusCode !== 409 || reply.json().code !== "idempotency_in_progress") return reply;
      expect(reply.headers["retry-after"]).toBe("1");
    }
  }

  it("takes effect once per key, and every repeat gets the same answer", async () => {
    const before = await count(table);
    const asked = Array.from({ length: AT_ONCE }, (_, index) => callUntilDone(index % 2, "k"));
    const replies = await Promise.all(asked);
    const [first] = replies;
    for (const reply of replies) expect([reply.statusCode, reply.body]).toEqual([first?.statusCode, first?.body]);
    expect(first && isDone(first), first?.body).toBe(true);
    expect(replies.filter(isReplay)).toHaveLength(AT_ONCE - 1);
    expect((await count(table)) - before).toBe(rows);
    expect(await instances.findFaults()).toEqual([]);
  });

  it("is executed for only one of two different requests with the same key", async () => {
    const before = await count(table);
    const replies = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        instances.call(index % 2, "POST", url(), {
          body: index % 2 === 0 ? body() : { ...body(), ...change },
          key: "k",
        }),
      ),
    );
    const codes = replies.map((reply) => (isDone(reply) ? "done" : reply.json().code));
    const [ofFirst, ofOther] = [0, 1].map((request) => new Set(codes.filter((_, index) => index % 2 === request)));
    const isFirstDone = ofFirst?.has("done") === true;
    const [winner, loser] = isFirstDone ? [ofFirst, ofOther] : [ofOther, ofFirst];
    winner?.delete("idempotency_in_progress");
    expect([[...(winner ?? [])], loser?.has("done")], codes.join()).toEqual([["done"], false]);
    for (const code of loser ?? []) expect(["idempotency_key_reused", "idempotency_in_progress"]).toContain(code);
    expect(replies.filter((reply) => isDone(reply) && !isReplay(reply))).toHaveLength(1);
    expect((await count(table)) - before).toBe(rows);
    expect(await instances.findFaults()).toEqual([]);
  });
});

describe("a first request that does not end", () => {
  let holder: pg.Client;
  beforeEach(async () => {
    if (!("url" in instances.location)) throw new Error("these tests are of PostgreSQL");
    holder = new pg.Client({ connectionString: instances.location.url });
    await holder.connect();
    await holder.query("BEGIN");
  });
  afterEach(() => holder.end());

  it("does not block its repeats forever while it holds its key", async () => {
    await holder.query("INSERT INTO idempotency_keys VALUES (1, '', 'recordConsent', 'k', 'f', '{}', 9e15)");
    const body = { merchantId: "m1", channel: "SMS", contact: to, status: "OPT_IN" };
    const record = () => instances.call(1, "POST", "/api/v1/consents", { body, key: "k" });
    const reply = await record();
    expect(reply.json()).toMatchObject({ status: 409, code: "idempotency_in_progress" });
    expect(reply.headers["retry-after"]).toBe("1");
    await holder.query("ROLLBACK");
    expect((await record()).statusCode).toBe(200);
  });

  it.each([undefined, "k"])(
    "causes a 503 for another request that changes a row it has locked, with the key %s",
    async (key) => {
      await holder.query("INSERT INTO consents VALUES (1, 'm1', 'SMS', '+12025550100', 'OPT_IN', NULL, 0)");
      const body = { merchantId: "m1", channel: "SMS", contact: to, status: "OPT_IN" };
      const record = () => instances.call(1, "POST", "/api/v1/consents", { body, ...(key && { key }) });
      expect((await record()).json()).toMatchObject({ status: 503, code: "unavailable" });
      await holder.query("ROLLBACK");
      expect((await record()).statusCode).toBe(200);
    },
  );

  it("blocks its repeat, which delays no other request", async () => {
    await holder.query("INSERT INTO idempotency_keys VALUES (1, '', 'sendSms', 'k', 'f', '{}', 9e15)");
    let isAnswered = false;
    const repeat = instances.call(1, "POST", "/api/v1/messages/sms", { body: sms, key: "k" }).finally(() => {
      isAnswered = true;
    });
    let looks = 0;
    while (!isAnswered) {
      await instances.services[0]?.store.write((tx) =>
        tx.all("SELECT credits FROM quotas WHERE merchant_id = 'm1' FOR UPDATE NOWAIT"),
      );
      looks += 1;
    }
    expect((await repeat).json()).toMatchObject({ code: "idempotency_in_progress" });
    expect(looks).toBeGreaterThan(1);
  });

  it("delays only sends with its key", async () => {
    await holder.query("INSERT INTO idempotency_keys VALUES (1, '', 'sendSms', 'k', 'f', '{}', 9e15)");
    const send = (key: string) => instances.call(1, "POST", "/api/v1/messages/sms", { body: sms, key });
    const replies = await Promise.all([send("a"), send("k"), send("b")]);
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 409, 200]);
    expect(replies[1]?.json()).toMatchObject({ code: "idempotency_in_progress" });
    await holder.query("ROLLBACK");
    expect((await send("k")).statusCode).toBe(200);
  });
});
