// Checks the comparison on data folders with injected faults.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Acknowledgement, merchantId } from "./actions.ts";
import { compare, findFaults } from "./comparison.ts";
import { type Data, readFolder } from "./data.ts";

let folder: string;
let data: Data;
let database: BetterSqlite3.Database;
let ledger: BetterSqlite3.Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "comparison-"));
  data = readFolder(folder);
  database = new BetterSqlite3(join(folder, "msgd.db"));
  database.exec(`
    CREATE TABLE messages (message_id TEXT, channel TEXT, merchant_id TEXT, status TEXT, charge TEXT, units INTEGER, period TEXT);
    CREATE TABLE usage (merchant_id TEXT, channel TEXT, period TEXT, used INTEGER, reserved INTEGER);
    CREATE TABLE quotas (merchant_id TEXT, channel TEXT, credits INTEGER);
    CREATE TABLE consent_history (contact TEXT);
    CREATE TABLE merchants (merchant_id TEXT);
    CREATE TABLE payments (payment_id TEXT, status TEXT);
    CREATE TABLE tts_batches (batch_id INTEGER, total_calls INTEGER, success INTEGER, partial INTEGER, failed INTEGER,
                              pending INTEGER, scheduled INTEGER, finalized INTEGER, speech_micros INTEGER,
                              call_micros INTEGER, finalized_micros INTEGER);
    CREATE TABLE tts_calls (batch_id INTEGER, final_status TEXT, billing_state TEXT, speech_base_micros INTEGER,
                            speech_markup_micros INTEGER, call_base_micros INTEGER, call_markup_micros INTEGER,
                            period TEXT, call_minutes INTEGER, reserved_units INTEGER);
    INSERT INTO messages VALUES ('msg_1', 'SMS', '${merchantId}', 'DELIVERED', 'SETTLED', 2, 'now'),
                                ('msg_2', 'SMS', '${merchantId}', 'FAILED', 'RELEASED', 1, 'now');
    INSERT INTO usage VALUES ('${merchantId}', 'SMS', 'now', 2, 0);
    INSERT INTO quotas VALUES ('${merchantId}', 'SMS', 1000000), ('${merchantId}', 'VOICE', 1000000);
    INSERT INTO consent_history VALUES ('c1@example.com');
  `);
  ledger = new BetterSqlite3(join(folder, "simulator.db"));
  ledger.exec(`CREATE TABLE submissions (reference TEXT, sends INTEGER); INSERT INTO submissions VALUES ('msg_1', 1)`);
});
afterEach(() => {
  database.close();
  ledger.close();
  rmSync(folder, { recursive: true });
});

const acknowledged: readonly Acknowledgement[] = [
  { key: "a", kind: "sms", id: "msg_1", isReplay: false },
  { key: "a", kind: "sms", id: "msg_1", isReplay: true },
  { key: "b", kind: "sms", id: "msg_2", isReplay: false },
  { key: "c", kind: "consent", id: "c1@example.com", isReplay: true },
];

describe("compare", () => {
  it("reports nothing for sound data", async () => {
    const comparison = await compare(data, acknowledged);
    expect(findFaults(comparison)).toEqual({});
    expect(comparison.acknowledged).toEqual({ sms: 2, consent: 1 });
  });

  it.each([
    ["a lost message", "DELETE FROM messages WHERE message_id = 'msg_2'", ["lost"]],
    ["a lost consent", "DELETE FROM consent_history", ["lost"]],
    ["a consent recorded twice", "INSERT INTO consent_history VALUES ('c1@example.com')", ["surplus"]],
    ["a merchant that nobody requested", "INSERT INTO merchants VALUES ('w9')", ["surplus"]],
    ["a message that never settled", "UPDATE messages SET status = 'SENDING' WHERE message_id = 'msg_1'", ["stuck"]],
    [
      "a FAILED message that was sent",
      "UPDATE messages SET status = 'FAILED' WHERE message_id = 'msg_1'",
      ["misreported"],
    ],
    [
      "a DELIVERED message that was never sent",
      "UPDATE messages SET status = 'DELIVERED' WHERE message_id = 'msg_2'",
      ["misreported"],
    ],
    ["an excess unit", "UPDATE usage SET used = 3", ["drift"]],
    ["a unit still reserved", "UPDATE usage SET reserved = 1", ["drift"]],
    ["a missing credit", "UPDATE quotas SET credits = credits - 1 WHERE channel = 'SMS'", ["drift"]],
    ["a minute paid twice", "UPDATE quotas SET credits = credits - 1 WHERE channel = 'VOICE'", ["drift"]],
  ])("reports %s", async (_what, sql, faults) => {
    database.exec(sql);
    expect(Object.keys(findFaults(await compare(data, acknowledged)))).toEqual(faults);
  });

  it("reports a payment that never settled, and its missing credits", async () => {
    database.exec("INSERT INTO payments VALUES ('pay_1', 'PENDING')");
    const paid: Acknowledgement = { key: "p", kind: "upgrade", id: "pay_1", isReplay: false };
    expect(Object.keys(findFaults(await compare(data, [...acknowledged, paid])))).toEqual(["stuck", "drift"]);
  });

  it.each([
    ["no fault in a batch that balances", "1, 1, 0, 0, 0, 0, 1, 5, 7, 12", []],
    ["a call counted twice", "1, 2, 0, 0, 0, 0, 1, 5, 7, 12", ["unbalanced"]],
    ["a call that never finished", "1, 0, 0, 0, 1, 0, 0, 5, 7, 0", ["unbalanced"]],
    ["a cost that no call has", "1, 1, 0, 0, 0, 0, 1, 5, 8, 13", ["unbalanced"]],
    ["a total of more calls than exist", "2, 1, 0, 0, 0, 0, 1, 5, 7, 12", ["unbalanced"]],
  ])("reports %s", async (_what, batch, faults) => {
    database.exec(`INSERT INTO tts_batches VALUES (1, ${batch});
      INSERT INTO tts_calls VALUES (1, 'SUCCESS', 'FINALIZED', 5, 0, 7, 0, 'now', 1, 0);
      INSERT INTO usage VALUES ('${merchantId}', 'VOICE', 'now', 1, 0)`);
    const made: Acknowledgement = { key: "t", kind: "batch", id: "1", isReplay: false };
    expect(Object.keys(findFaults(await compare(data, [...acknowledged, made])))).toEqual(faults);
  });

  it("reports a batch without its calls", async () => {
    database.exec("INSERT INTO tts_batches VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)");
    const made: Acknowledgement = { key: "t", kind: "batch", id: "1", isReplay: false };
    expect(Object.keys(findFaults(await compare(data, [...acknowledged, made])))).toEqual(["unbalanced"]);
  });

  it("accepts the replies to two parallel calls in either order", async () => {
    const [first, second] = acknowledged as [Acknowledgement, Acknowledgement];
    expect(findFaults(await compare(data, [second, first, ...acknowledged.slice(2)]))).toEqual({});
  });

  it("reports a second send", async () => {
    ledger.exec("UPDATE submissions SET sends = 2");
    expect(Object.keys(findFaults(await compare(data, acknowledged)))).toEqual(["doubled", "misreported"]);
  });

  it.each([
    ["a key with two results", { key: "a", kind: "sms", id: "msg_2", isReplay: true }],
    ["a repeat that was not marked as a replay", { key: "a", kind: "sms", id: "msg_1", isReplay: false }],
    ["a resource that two keys share", { key: "d", kind: "sms", id: "msg_1", isReplay: false }],
  ] as const)("reports %s", async (_what, wrong) => {
    expect(Object.keys(findFaults(await compare(data, [...acknowledged, wrong])))).toEqual(["confused"]);
  });
});
