import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SqliteLedger } from "./sqlite-ledger.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "msgd-ledger-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const openLedger = (path: string) => new SqliteLedger(path, { now: () => 2_000, noteDue: () => {} });

describe("a ledger of an earlier release", () => {
  it("tells what it has still to tell, in its order, and knows its submissions", async () => {
    const path = join(folder, "earlier.db");
    const earlier = new BetterSqlite3(path);
    earlier.exec(`
      CREATE TABLE submissions (
        reference TEXT PRIMARY KEY, attempts INTEGER NOT NULL, sends INTEGER NOT NULL, answers_find INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      INSERT INTO submissions VALUES ('msg_1_a', 2, 1, 1);
      CREATE TABLE events (
        event_id TEXT NOT NULL UNIQUE, position INTEGER PRIMARY KEY, due_at INTEGER NOT NULL, body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX events_due ON events (due_at);
    `);
    const add = earlier.prepare("INSERT INTO events (event_id, due_at, body) VALUES (?, ?, ?)");
    const sent = { clientReference: "msg_1_a", providerMessageId: "sim_msg_1_a_12" };
    const events = [
      { kind: "receipt", status: "DELIVERED", reason: null, eventId: "sim_msg_1_a_12.10", ...sent },
      { kind: "receipt", status: "SENT", reason: null, eventId: "sim_msg_1_a_12.9", ...sent },
      { kind: "receipt", status: "DELIVERED", reason: null, eventId: "sim_msg_1_a_12.11", ...sent },
    ];
    for (const [index, event] of events.entries())
      add.run(event.eventId, [1_500, 1_000, 2_001][index], JSON.stringify(event));
    earlier.close();

    const ledger = openLedger(path);
    const due = await ledger.claimDue(10);
    expect(due).toEqual([events[1], events[0]]);
    await ledger.settle(
      due.map((event) => ({ event, isRecorded: true })),
      3_000,
    );
    expect(await ledger.claimDue(10)).toEqual([]);
    expect(ledger.findNextDue()).toBe(2_001);
    expect(await ledger.find("msg_1_a")).toMatchObject({ attempts: 2, sends: 1, submission: "" });
    await ledger.close();

    const again = openLedger(path);
    expect(again.findNextDue()).toBe(2_001);
    await again.close();
  });
});

it("tells an event again, at the time it is told to, unless it was recorded", async () => {
  const ledger = openLedger(":memory:");
  const report = { kind: "receipt", status: "DELIVERED", reason: null } as const;
  const happenings = [
    { ...report, afterMs: 0 },
    { ...report, afterMs: 5 },
  ];
  await ledger.report({ reference: "msg_1", send: 1, submittedAt: 1_000, happenings });
  const due = await ledger.claimDue(10);
  expect(due.map(({ eventId }) => eventId)).toEqual(["sim_msg_1_1.0", "sim_msg_1_1.1"]);
  await ledger.settle(
    due.map((event, index) => ({ event, isRecorded: index === 0 })),
    3_000,
  );
  await ledger.report({ reference: "msg_1", send: 1, submittedAt: 1_000, happenings });
  // what is kept still stays as it was put off
  expect((await ledger.claimDue(10)).map(({ eventId }) => eventId)).toEqual(["sim_msg_1_1.0"]);
  await ledger.close();
});
