// A database restored from a backup, with a carrier and a payment processor that remember what happened after it.

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "./development/clocks.ts";
import { createTenant, type IssuedCredential, issueCredential } from "./domain/tenancy/tenants.ts";
import { databases } from "./engines.ts";
import { openService, type Service } from "./service.ts";

const hourMs = 3_600_000;
/** Midnight in New York: too early for a call in quiet hours. */
const startMs = Date.parse("2026-01-15T05:00:00Z");

let folder: string;
let clock: VirtualClock;
let service: Service;
let credential: IssuedCredential;
let logged: string[];
const file = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-restoration-"));
  clock = createVirtualClock(startMs);
  service = await open();
  credential = await service.store.write(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: "Acme", timezone: "UTC", mode: "test", now: startMs });
    return issueCredential(tx, { tenantId, merchantId: null, pepper: "p", now: startMs });
  });
  const quota = { smsLimit: 1_000, voiceMinutesLimit: 1_000, emailLimit: 1_000 };
  await post("merchants", { merchantId: "m1", displayName: "First", ...quota });
  await post("consents", { merchantId: "m1", channel: "VOICE", contact: "+12125550100", status: "OPT_IN" });
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function open(): Promise<Service> {
  logged = [];
  const opened = await openService({
    database: { file: file("msgd.db") },
    simulator: { file: file("simulator.db") },
    pepper: "p",
    consentPolicy: "strict",
    idempotencyDays: 7,
    clock,
    logger: { level: "warn", stream: { write: (line: string) => void logged.push(line) } },
    isAlone: true,
  });
  clock.watch(() => opened.isBusy());
  return opened;
}

async function post(path: string, body: object, key?: string): Promise<Record<string, string>> {
  const { apiKey, apiSecret } = credential;
  const reply = await service.app.inject({
    method: "POST",
    url: `/api/v1/${path}`,
    headers: { "x-api-key": apiKey, "x-api-secret": apiSecret, ...(key && { "idempotency-key": key }) },
    payload: body,
  });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}

const sms = (to: string) => ({ merchantId: "m1", to, message: "Hello", type: "TRANSACTIONAL" });
const call = { merchantId: "m1", messageText: "Hello", useCase: "promotion", toNumber: "+12125550100" };
const upgrade = { merchantId: "m1", channel: "SMS", units: 10 };

function query<Row>(name: "msgd.db" | "simulator.db", sql: string): Row[] {
  const database = new BetterSqlite3(file(name), { readonly: true });
  try {
    return database.prepare<[], Row>(sql).all();
  } finally {
    database.close();
  }
}

const sends = () =>
  query<{ sends: number; count: number }>(
    "simulator.db",
    "SELECT sends, COUNT(*) AS count FROM submissions GROUP BY sends ORDER BY sends",
  );
const statuses = () =>
  query<{ status: string; count: number }>(
    "msgd.db",
    "SELECT status, COUNT(*) AS count FROM messages GROUP BY status ORDER BY status",
  );
const payments = () => query("msgd.db", "SELECT status FROM payments");

/** Creates work of every kind on a server that does not dispatch yet, so that all of it waits. */
async function acceptAll(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await post("messages/sms", sms("+12025550100"), `s${count}`);
  await post("messages/voice", { merchantId: "m1", to: "+12025550100", text: "Hello", type: "OTP" });
  await post("voice/tts-calls", call);
  await post("billing/upgrade", upgrade, "u");
}

async function backUp(): Promise<void> {
  await databases.backUp(file("msgd.db"), file("backup.db"));
}

/** Closes the server, restores the backup, and reopens it. The carrier may forget everything. */
async function putBack({
  isTold,
  isForgotten = false,
  behindMs = 0,
}: {
  isTold: boolean;
  isForgotten?: boolean;
  behindMs?: number;
}): Promise<void> {
  await service.close();
  if (isForgotten) rmSync(file("simulator.db"));
  for (const companion of ["-wal", "-shm"]) rmSync(`${file("msgd.db")}${companion}`, { force: true });
  copyFileSync(file("backup.db"), file("msgd.db"));
  if (isTold) await databases.markRestored({ file: file("msgd.db") }, clock.now() - behindMs, async () => {});
  service = await open();
}

async function expectSound(): Promise<void> {
  const { reports } = await databases.inspect({ file: file("msgd.db") }, Date.now());
  expect(reports.filter(({ faults }) => faults.length > 0)).toEqual([]);
}

describe("messages that wait in a backup but have been sent since", () => {
  it.each([
    { how: "by msgd restore", isTold: true },
    { how: "by copying a file, which msgd detects from the carrier's records", isTold: false },
  ])("are recorded, and not sent again, after a restore $how", async ({ isTold }) => {
    await acceptAll();
    await backUp();
    await service.start();
    await clock.advanceBy(12 * hourMs);
    expect(sends()).toEqual([{ sends: 1, count: 22 }]);
    const spoken = query("simulator.db", "SELECT COUNT(*) AS made FROM speeches");

    await putBack({ isTold });
    expect(statuses()).toEqual([{ status: "QUEUED", count: 21 }]);
    await service.start();
    await clock.advanceBy(24 * hourMs);
    expect(sends()).toEqual([{ sends: 1, count: 22 }]);
    expect(query("simulator.db", "SELECT charges FROM payments")).toEqual([{ charges: 1 }]);
    expect(query("simulator.db", "SELECT SUM(syntheses) AS made FROM speeches")).toEqual(spoken);
    expect(statuses()).toEqual([{ status: "DELIVERED", count: 22 }]);
    expect(payments()).toEqual([{ status: "SUCCEEDED" }]);
    expect(query("msgd.db", "SELECT final_status FROM tts_calls")).toEqual([
      { final_status: "SUCCESS" },
      { final_status: "SUCCESS" },
    ]);
    await expectSound();
    const text = "the database is older than its carrier's records";
    expect(logged.some((line) => line.includes(text))).toBe(true);
    expect(await post("messages/sms", sms("+12025550100"), "s1")).toMatchObject({ status: "DELIVERED" });
  });

  it("are detected at one start only, even if the server had sent many other messages since the backup", async () => {
    await post("voice/tts-calls", call);
    await backUp();
    await service.start();
    for (let count = 0; count < 30; count += 1) await post("messages/sms", sms("+12025550100"));
    await clock.advanceBy(12 * hourMs);
    await putBack({ isTold: false });
    await service.start();
    await clock.advanceBy(24 * hourMs);
    expect(sends()).toEqual([{ sends: 1, count: 31 }]);
    await service.close();
    service = await open();
    await service.start();
    expect(logged.join("")).not.toContain("older");
  });

  it("are looked up however old the backup is, and not sent if they have expired", async () => {
    await post("messages/sms", sms("+12025550100"));
    await backUp();
    await post("messages/sms", sms("+12025550110"));
    await service.start();
    await clock.advanceBy(100 * hourMs);
    await putBack({ isTold: true });
    await post("messages/sms", sms("+12025550100"));
    await service.start();
    await clock.advanceBy(hourMs);
    expect(statuses()).toEqual([{ status: "DELIVERED", count: 2 }]);

    await putBack({ isTold: true, isForgotten: true });
    await service.start();
    await clock.advanceBy(hourMs);
    expect(query("msgd.db", "SELECT status, delivery_reason AS reason FROM messages")).toEqual([
      { status: "FAILED", reason: "TTL_EXPIRED" },
    ]);
    expect(sends()).toEqual([]);
    await expectSound();
  });
});

describe("a reply that was received after the backup", () => {
  /** The recipients, who reply STOP, START and HELP. */
  const repliers = ["+12025550150", "+12025550151", "+12025550152"];
  const confirmations = () =>
    query("msgd.db", "SELECT status FROM messages WHERE purpose = 'CONFIRMATION' ORDER BY message_id");

  it.each([
    { to: "a message that waited in it", isStarted: false, isTold: true, behindMs: 0 },
    { to: "a message that waited in a copied file", isStarted: false, isTold: false, behindMs: 0 },
    { to: "a message that the carrier had", isStarted: true, isTold: true, behindMs: 0 },
    {
      to: "a message that the carrier had, if the clock of the restore was days behind,",
      isStarted: true,
      isTold: true,
      behindMs: 100 * hourMs,
    },
  ])("to $to is processed again, but not confirmed again", async ({ isStarted, isTold, behindMs }) => {
    if (isStarted) await service.start();
    for (const to of repliers) await post("messages/sms", sms(to));
    await clock.settle();
    await backUp();
    if (!isStarted) await service.start();
    await clock.advanceBy(12 * hourMs);
    expect(sends()).toEqual([{ sends: 1, count: 6 }]);

    await putBack({ isTold, behindMs });
    expect(confirmations()).toEqual([]);
    await service.start();
    await clock.advanceBy(24 * hourMs);
    expect(sends()).toEqual([{ sends: 1, count: 6 }]);
    expect(confirmations()).toEqual(Array(3).fill({ status: "DELIVERED" }));
    expect(statuses()).toEqual([{ status: "DELIVERED", count: 6 }]);
    await expectSound();
  });
});

describe("work in progress when the backup was made", () => {
  const finals = () => query("msgd.db", "SELECT final_status FROM tts_calls");

  beforeEach(async () => {
    await service.start();
    await post("messages/sms", sms("+12025550104"));
    const number = "+12025550100";
    await post("consents", { merchantId: "m1", channel: "VOICE", contact: number, status: "OPT_IN" });
    await post("messages/voice", { merchantId: "m1", to: number, text: "Hello", type: "TRANSACTIONAL" });
    await clock.settle();
    await backUp();
    expect(query("msgd.db", "SELECT state FROM dispatches")).toEqual([{ state: "reconciling" }]);
    expect(query("msgd.db", "SELECT status FROM speech_assets")).toEqual([{ status: "PENDING" }]);
    await clock.advanceBy(hourMs);
    expect(sends()).toEqual([{ sends: 1, count: 2 }]);
  });

  it("is looked up, and nothing that was sent or spoken since is done again", async () => {
    await putBack({ isTold: true });
    await service.start();
    await clock.advanceBy(hourMs);
    expect(sends()).toEqual([{ sends: 1, count: 2 }]);
    expect(query("simulator.db", "SELECT syntheses FROM speeches")).toEqual([{ syntheses: 1 }]);
    expect(statuses()).toEqual([{ status: "DELIVERED", count: 2 }]);
    expect(finals()).toEqual([{ final_status: "SUCCESS" }]);
    await expectSound();
  });

  it("is looked up, and sent if the carrier does not have it, although the clock of the restore was days behind", async () => {
    await putBack({ isTold: true, isForgotten: true, behindMs: 100 * hourMs });
    await service.start();
    await clock.advanceBy(hourMs);
    expect(sends()).toEqual([{ sends: 1, count: 2 }]);
    expect(statuses()).toEqual([{ status: "DELIVERED", count: 2 }]);
    expect(finals()).toEqual([{ final_status: "SUCCESS" }]);
    await expectSound();
  });

  it("is looked up even if no server ran for days, and is then too late to be sent", async () => {
    await putBack({ isTold: true, isForgotten: true });
    await clock.advanceBy(100 * hourMs);
    await service.start();
    await clock.advanceBy(hourMs);
    expect(sends()).toEqual([]);
    const ends = query("msgd.db", "SELECT status, delivery_reason AS reason FROM messages");
    // the call was in doubt only because its carrier might have had it
    expect(ends).toEqual(["EXPIRED", "FAILED"].map((status) => ({ status, reason: "TTL_EXPIRED" })));
    expect(finals()).toEqual([{ final_status: "FAILED" }]);
    await expectSound();
  });
});

describe("a message that was with the carrier when the backup was made", () => {
  it("gets the outcome that was reported since, and is never sent again, even if the carrier denies having it", async () => {
    await service.start();
    await post("messages/sms", sms("+12025550101"));
    await clock.advanceBy(1_000);
    expect(statuses()).toEqual([{ status: "SENT", count: 1 }]);
    await backUp();
    await clock.advanceBy(hourMs);
    await putBack({ isTold: true });
    await service.start();
    await clock.advanceBy(1_000);
    expect(statuses()).toEqual([{ status: "DELIVERED", count: 1 }]);

    await putBack({ isTold: true, isForgotten: true });
    await service.start();
    await clock.advanceBy(71 * hourMs);
    expect(statuses()).toEqual([{ status: "SENT", count: 1 }]);
    expect(sends()).toEqual([]);
    await expectSound();
  });
});
