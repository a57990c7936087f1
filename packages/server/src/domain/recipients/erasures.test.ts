import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listTables } from "../../store/migrate.ts";
import type { Transaction } from "../../store/store.ts";
import { type InMemoryService, openInMemoryService, pepper } from "../../testing/in-memory-service.ts";
import { createRecipientDigest } from "../contacts.ts";
import { saveBounce } from "../messages/suppression-rows.ts";
import { SUPPRESSED_MS } from "../messages/suppressions.ts";
import { createTenant } from "../tenancy/tenants.ts";
import { askFor, beginErasure, continueErasure, type ErasureProgress, readRecipientStory } from "./recipients.ts";
import { readMessageStory } from "./story.ts";

const CONTACT = "+12025550100";
const OTHER = "+12025550101";

let service: InMemoryService;
let scope: { tenantId: number; merchantId: string | null };
beforeEach(async () => {
  service = await openInMemoryService();
  scope = { tenantId: service.credential.tenantId, merchantId: null };
  for (const merchantId of ["m1", "m2"]) {
    const limits = { smsLimit: 1_000, emailLimit: 1_000, voiceMinutesLimit: 1_000 };
    await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId, ...limits } });
  }
});
afterEach(() => service.close());

const digestOf = (contact: string) => createRecipientDigest(pepper)(scope.tenantId, contact);
const write = <T>(work: (tx: Transaction) => Promise<T>) => service.store.write(work);

function send(to: string, { merchantId = "m1", message = "Your code is 1", type = "OTP" } = {}) {
  return service.call("POST", "/api/v1/messages/sms", { body: { merchantId, to, message, type } });
}

async function record(merchantId: string, status: string, contact = CONTACT): Promise<void> {
  const body = { merchantId, channel: "SMS", contact, status };
  expect((await service.call("POST", "/api/v1/consents", { body })).statusCode).toBe(200);
}

async function erase(contact = CONTACT, of: { tenantId: number; merchantId: string | null } = scope) {
  const asked = { contact, digest: digestOf(contact), now: service.clock.now() };
  const erasureId = await write((tx) => beginErasure(tx, of, asked));
  return { erasureId, ...(await finish(erasureId)) };
}

async function finish(erasureId: number): Promise<ErasureProgress> {
  for (;;) {
    const progress = await write((tx) => continueErasure(tx, erasureId, service.clock.now()));
    if (progress.state !== "under way") return progress;
  }
}

const read = (messageId: string) =>
  service.store.read((tx) => readMessageStory(tx, scope, { messageId, now: service.clock.now() }));
const story = (contact = CONTACT) =>
  service.store.read((tx) =>
    readRecipientStory(tx, scope, askFor(contact, scope.tenantId, createRecipientDigest(pepper)), {
      now: service.clock.now(),
    }),
  );

/** Reads every text of every table, except tables whose rows are removed within days. */
async function readAll(): Promise<string> {
  const soonGone = new Set(["idempotency_keys", "callbacks"]);
  return service.store.read(async (tx) => {
    const tables = listTables(tx.dialect).filter((table) => !soonGone.has(table));
    const rows: unknown[] = [];
    for (const table of tables) rows.push(await tx.all(`SELECT * FROM ${table}`));
    return JSON.stringify(rows);
  });
}

/** Stores a bounce of the contact, which suppresses it unless `suppressedAt` is null. */
async function suppress(contact: string, suppressedAt: number | null = service.clock.now()): Promise<void> {
  const now = service.clock.now();
  const channel = contact.includes("@") ? "EMAIL" : "SMS";
  const bounce = { channel, reason: "UNREACHABLE", messageId: "msg_1", merchantId: "m1", bouncedAt: now } as const;
  const key = { tenantId: scope.tenantId, channel, contact } as const;
  await write((tx) => saveBounce(tx, key, { ...bounce, suppressedAt, endsAt: now + SUPPRESSED_MS }));
}

describe("an erasure", () => {
  it("removes the recipient and all contents, and keeps all costs", async () => {
    await service.start();
    const long = "x".repeat(5_000);
    const body = { merchantId: "m1", to: "Ada@Example.com", subject: "For Ada", body: long, type: "TRANSACTIONAL" };
    const mail = (await service.call("POST", "/api/v1/messages/email", { body })).json();
    const sms = (await send(CONTACT, { message: "For Ada only" })).json();
    const others = (await send(OTHER, { message: "For Bob" })).json();
    await service.clock.advanceBy(60_000);
    for (const contact of ["ada@example.com", CONTACT, OTHER]) await suppress(contact);
    const before = await read(sms.messageId);
    expect(before.status).toBe("DELIVERED");
    expect(await erase()).toMatchObject({ state: "ended", erased: 1, open: 0 });
    expect(await erase("ada@example.com")).toMatchObject({ state: "ended", erased: 1 });
    expect(await read(sms.messageId)).toEqual({ ...before, to: "erased", content: "" });
    expect(await read(mail.messageId)).toMatchObject({ to: "erased", subject: null, content: "", units: 1 });
    expect(await read(others.messageId)).toMatchObject({ to: OTHER, content: "For Bob" });
    const kept = await readAll();
    for (const text of [CONTACT, "ada@example.com", "Ada", long]) expect(kept).not.toContain(text);
    expect(kept).toContain(OTHER);
  });

  it("keeps the recipient's opt-outs in force", async () => {
    await service.start();
    await record("m1", "OPT_OUT");
    await record("m2", "OPT_IN");
    await erase();
    expect((await send(CONTACT)).json()).toMatchObject({ code: "consent_opted_out" });
    expect((await send(OTHER)).statusCode).toBe(200);
    // an opt-in was removed
    expect((await send(CONTACT, { merchantId: "m2", type: "MARKETING" })).json()).toMatchObject({
      code: "consent_required",
    });
    const { consents, changes, keptOptOuts, erasures } = await story();
    expect({ consents, changes }).toEqual({ consents: [], changes: [] });
    expect(keptOptOuts).toMatchObject([{ merchantId: "m1", channel: "SMS" }]);
    expect(erasures).toMatchObject([{ erased: 0, endedAt: service.clock.now() }]);
    expect((await story(OTHER)).keptOptOuts).toEqual([]);
  });

  it("keeps opt-outs in force for single calls, batches, and calls about to be submitted", async () => {
    await service.start();
    const body = { merchantId: "m1", channel: "VOICE", contact: CONTACT, status: "OPT_OUT" };
    await service.call("POST", "/api/v1/consents", { body });
    // this call waits for its speech at the time of the erasure
    await service.call("POST", "/api/v1/consents", { body: { ...body, contact: OTHER, status: "OPT_IN" } });
    const waiting = await service.call("POST", "/api/v1/messages/voice", {
      body: { merchantId: "m1", to: OTHER, text: "Hello", type: "OTP" },
    });
    await service.call("POST", "/api/v1/consents", { body: { ...body, contact: OTHER } });
    await erase();
    expect(await erase(OTHER)).toMatchObject({ state: "waiting", open: 2 });
    const batch = { merchantId: "m1", messageText: "Hello", useCase: "OTP" };
    const both = await service.call("POST", "/api/v1/voice/tts-calls", {
      body: { ...batch, toNumbers: [CONTACT, "+12025550102"] },
    });
    expect(both.json()).toMatchObject({ failedCount: 1, pendingCount: 1 });
    const one = await service.call("POST", "/api/v1/voice/tts-calls", { body: { ...batch, toNumber: CONTACT } });
    expect(one.json()).toMatchObject({ code: "all_recipients_refused" });
    await service.clock.advanceBy(2 * 3_600_000);
    expect(await read(waiting.json().messageId)).toMatchObject({ status: "FAILED", reason: "OPTED_OUT", to: "erased" });
    expect((await story(OTHER)).erasures).toMatchObject([{ endedAt: expect.any(Number) }]);
  });

  it("keeps an opt-out only until the recipient's next decision", async () => {
    await service.start();
    await record("m1", "OPT_OUT");
    await erase();
    await record("m1", "OPT_IN");
    expect((await send(CONTACT)).statusCode).toBe(200);
    await service.clock.advanceBy(60_000);
    // the last decision was not an opt-out
    await erase();
    expect((await story()).keptOptOuts).toEqual([]);
  });

  it("automatically continues with messages that had not ended", async () => {
    const { messageId } = (await send(CONTACT)).json();
    const { erasureId, ...progress } = await erase();
    expect(progress).toEqual({ state: "waiting", erased: 0, open: 1 });
    expect(await read(messageId)).toMatchObject({ to: CONTACT, content: "Your code is 1" });
    await suppress(CONTACT, null);
    await service.start();
    await service.clock.advanceBy(2 * 3_600_000);
    expect(await read(messageId)).toMatchObject({ status: "DELIVERED", to: "erased", content: "" });
    expect(await write((tx) => continueErasure(tx, erasureId, service.clock.now()))).toEqual({
      ...{ state: "ended", erased: 1, open: 0 },
    });
    expect(await readAll()).not.toContain(CONTACT);
  });

  it("covers all messages accepted before it, and none accepted after it", async () => {
    await service.start();
    for (let count = 0; count < 250; count += 1) await send(CONTACT);
    await service.clock.advanceBy(60_000);
    const asked = { contact: CONTACT, digest: digestOf(CONTACT), now: service.clock.now() };
    const erasureId = await write((tx) => beginErasure(tx, scope, asked));
    await service.clock.advanceBy(1);
    const later = (await send(CONTACT)).json();
    await service.clock.advanceBy(60_000);
    expect(await finish(erasureId)).toMatchObject({ state: "ended", erased: 250 });
    expect(await read(later.messageId)).toMatchObject({ to: CONTACT });
  });

  it("removes the number from a call, and the text if no other call uses it", async () => {
    await service.start();
    const body = { merchantId: "m1", messageText: "Hello Ada", useCase: "OTP", toNumber: CONTACT };
    const { requestId } = (await service.call("POST", "/api/v1/voice/tts-calls", { body })).json();
    await service.clock.advanceBy(3_600_000);
    expect(await erase()).toMatchObject({ state: "ended", erased: 1 });
    const call = await service.call("GET", `/api/v1/voice/tts-calls/${requestId}`);
    expect(call.json()).toMatchObject({ toNumber: "erased", finalStatus: "SUCCESS" });
    expect(await readAll()).not.toContain(CONTACT);
  });

  it.each([
    ["of one merchant", () => ({ tenantId: scope.tenantId, merchantId: "m2" })],
    ["of another tenant", () => ({ tenantId: scope.tenantId + 1, merchantId: null })],
  ])("%s erases no data of other merchants and tenants", async (_whose, of) => {
    await service.start();
    await service.store.write((tx) => createTenant(tx, { name: "Other", timezone: "UTC", now: 1 }));
    await record("m1", "OPT_OUT", OTHER);
    await record("m1", "OPT_IN");
    const { messageId } = (await send(CONTACT)).json();
    await service.clock.advanceBy(60_000);
    expect(await erase(CONTACT, of())).toMatchObject({ state: "ended", erased: 0 });
    expect(await read(messageId)).toMatchObject({ to: CONTACT });
    expect((await story()).consents).toHaveLength(1);
    expect((await story(OTHER)).consents).toHaveLength(1);
  });
});

describe("a reply of an erased recipient", () => {
  it("opts them out if it is STOP, without a confirmation", async () => {
    await service.start();
    const { messageId } = (await send(CONTACT)).json();
    await service.clock.advanceBy(60_000);
    await erase();
    const reply = (replyBody: string) =>
      service.call("POST", "/api/v1/simulator/reply", {
        body: { tenantId: String(scope.tenantId), messageId, replyBody },
      });
    expect((await reply("Who is this?")).json()).toMatchObject({ status: "RECEIVED" });
    expect((await reply("STOP")).json()).toMatchObject({
      status: "OPTED_OUT",
      message: expect.stringContaining("erased"),
    });
    expect((await send(CONTACT)).json()).toMatchObject({ code: "consent_opted_out" });
  });
});

it("a replay of an erased decision reports the erasure", async () => {
  const headers = { "idempotency-key": "once" };
  const body = { merchantId: "m1", channel: "SMS", contact: CONTACT, status: "OPT_IN" };
  const record = () => service.call("POST", "/api/v1/consents", { body, headers });
  expect((await record()).statusCode).toBe(200);
  await erase();
  const again = await record();
  expect(again.statusCode).toBe(422);
  expect(again.json()).toMatchObject({ code: "idempotency_key_reused", detail: expect.stringContaining("erased") });
});
