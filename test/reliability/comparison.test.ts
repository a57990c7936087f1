// The comparison has to find what it looks for: it is given data folders in which something is wrong.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Acknowledgement, merchantId } from "./actions.ts";
import { compare, findFaults } from "./comparison.ts";

let folder: string;
let database: BetterSqlite3.Database;
let ledger: BetterSqlite3.Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "comparison-"));
  database = new BetterSqlite3(join(folder, "msgd.db"));
  database.exec(`
    CREATE TABLE messages (message_id TEXT, channel TEXT, merchant_id TEXT, status TEXT, charge TEXT, units INTEGER, period TEXT);
    CREATE TABLE usage (merchant_id TEXT, channel TEXT, period TEXT, used INTEGER, reserved INTEGER);
    CREATE TABLE quotas (merchant_id TEXT, channel TEXT, credits INTEGER);
    CREATE TABLE consent_history (contact TEXT);
    CREATE TABLE merchants (merchant_id TEXT);
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
  it("finds nothing wrong where nothing is", () => {
    const comparison = compare(folder, acknowledged);
    expect(findFaults(comparison)).toEqual({});
    expect(comparison.acknowledged).toEqual({ sms: 2, consent: 1 });
  });

  it.each([
    ["a lost message", "DELETE FROM messages WHERE message_id = 'msg_2'", ["lost"]],
    ["a lost consent", "DELETE FROM consent_history", ["lost"]],
    ["a consent recorded twice", "INSERT INTO consent_history VALUES ('c1@example.com')", ["surplus"]],
    ["a merchant of nobody", "INSERT INTO merchants VALUES ('w9')", ["surplus"]],
    ["a message left behind", "UPDATE messages SET status = 'SENDING' WHERE message_id = 'msg_1'", ["stuck"]],
    ["a failure that was sent", "UPDATE messages SET status = 'FAILED' WHERE message_id = 'msg_1'", ["misreported"]],
    ["a delivery never sent", "UPDATE messages SET status = 'DELIVERED' WHERE message_id = 'msg_2'", ["misreported"]],
    ["a unit too many", "UPDATE usage SET used = 3", ["drift"]],
    ["a unit still reserved", "UPDATE usage SET reserved = 1", ["drift"]],
    ["a credit gone", "UPDATE quotas SET credits = credits - 1 WHERE channel = 'SMS'", ["drift"]],
    ["a minute paid twice", "UPDATE quotas SET credits = credits - 1 WHERE channel = 'VOICE'", ["drift"]],
  ])("finds %s", (_what, sql, faults) => {
    database.exec(sql);
    expect(Object.keys(findFaults(compare(folder, acknowledged)))).toEqual(faults);
  });

  it("finds a payment left behind, whose credits are missing too", () => {
    database.exec(
      "CREATE TABLE payments (payment_id TEXT, status TEXT); INSERT INTO payments VALUES ('pay_1', 'PENDING')",
    );
    const paid: Acknowledgement = { key: "p", kind: "upgrade", id: "pay_1", isReplay: false };
    expect(Object.keys(findFaults(compare(folder, [...acknowledged, paid])))).toEqual(["stuck", "drift"]);
  });

  it("finds a second send", () => {
    ledger.exec("UPDATE submissions SET sends = 2");
    expect(Object.keys(findFaults(compare(folder, acknowledged)))).toEqual(["doubled", "misreported"]);
  });

  it.each([
    ["a key that named two things", { key: "a", kind: "sms", id: "msg_2", isReplay: true }],
    ["a repeat that was no replay", { key: "a", kind: "sms", id: "msg_1", isReplay: false }],
    ["a thing that two keys share", { key: "d", kind: "sms", id: "msg_1", isReplay: false }],
  ] as const)("finds %s", (_what, wrong) => {
    expect(Object.keys(findFaults(compare(folder, [...acknowledged, wrong])))).toEqual(["confused"]);
  });
});
