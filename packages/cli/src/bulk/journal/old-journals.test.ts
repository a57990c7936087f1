import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readMark } from "../../call/access/lock.ts";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { folder } from "../../testing/world.ts";
import { lockPath, openJournal } from "./journal.ts";
import { shortenOldJournals } from "./old-journals.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW_MS = Date.parse("2026-06-30T00:00:00Z");
const FAILURE = { code: "consent_required", message: "Zoë has not opted in." };
const ROWS = 1000;

const waiting = { clock: createFakeClock(), signal: new AbortController().signal };

/** A journal in which rows 100 and 101 are open and 7 failed, last written so many days ago. */
async function journal(path: string, name: string, days: number): Promise<string> {
  const file = join(path, name);
  const written = await openJournal(file, waiting);
  written.begin(1000);
  for (let row = ROWS - 1; row >= 0; row -= 1) {
    if (row === 7) written.failed(row, FAILURE);
    else if (row !== 100 && row !== 101) written.done(row, `msg_${row}`);
  }
  written.close();
  rest(file, days);
  return file;
}

function rest(file: string, days: number): void {
  utimesSync(file, new Date(NOW_MS), new Date(NOW_MS - days * DAY_MS));
}

async function known(file: string) {
  const read = await openJournal(file, waiting);
  const open = Array.from({ length: ROWS }, (_, row) => row).filter((row) => read.stateOf(row) === "open");
  const seen = { open, begunAtMs: read.begunAtMs, ...read.count(() => true), failure: read.readFailure(7) };
  read.close();
  return seen;
}

it("makes a journal short that nobody has touched for 30 days, and forgets nothing that was done", async () => {
  const path = folder();
  const old = await journal(path, "old.jsonl", 31);
  const recent = await journal(path, "recent.jsonl", 29);
  const before = await known(old);
  rest(old, 31);
  expect(before).toEqual({ open: [100, 101], begunAtMs: 1000, done: 997, failed: 1, failure: FAILURE });
  const recentText = readFileSync(recent, "utf8");
  shortenOldJournals(path, NOW_MS);
  expect([await known(old), readFileSync(recent, "utf8") === recentText]).toEqual([before, true]);
  expect(statSync(old).size).toBeLessThan(350);
  if (process.platform !== "win32") expect(statSync(old).mode & 0o777).toBe(0o600);
});

it("leaves a journal alone that somebody has, or that was changed", async () => {
  const path = folder();
  const [used, changed] = [await journal(path, "used.jsonl", 31), await journal(path, "changed.jsonl", 31)];
  const text = readFileSync(changed, "utf8").replace("msg_5", "msg_0");
  writeFileSync(changed, text);
  rest(changed, 31);
  const open = await openJournal(used, waiting);
  const size = statSync(used).size;
  shortenOldJournals(path, NOW_MS);
  expect([statSync(used).size, readFileSync(changed, "utf8")]).toEqual([size, text]);
  open.done(100, undefined);
  open.close();
  expect((await known(used)).open).toEqual([101]);
});

it("makes a journal short whose run was killed as long ago, and none whose run waits for its user", async () => {
  const path = folder();
  const [killed, waits] = [await journal(path, "killed.jsonl", 31), await journal(path, "waits.jsonl", 31)];
  for (const file of [killed, waits]) {
    mkdirSync(lockPath(file));
    writeFileSync(join(lockPath(file), `${crypto.randomUUID()}.5`), "");
  }
  const now = Date.now();
  for (const file of [killed, waits, lockPath(killed)]) utimesSync(file, 0, (now - 31 * DAY_MS) / 1000);
  const mark = readMark(lockPath(waits));
  shortenOldJournals(path, now);
  expect([statSync(killed).size < 350, statSync(waits).size > 4096]).toEqual([true, true]);
  expect([readMark(lockPath(killed)), readMark(lockPath(waits))]).toEqual([undefined, mark]);
});

it("lets a short journal grow, and makes it short again", async () => {
  const path = folder();
  const file = await journal(path, "list.jsonl", 31);
  shortenOldJournals(path, NOW_MS);
  const again = await openJournal(file, waiting);
  again.done(100, "x".repeat(5000));
  again.close();
  rest(file, 31);
  shortenOldJournals(path, NOW_MS);
  expect([(await known(file)).open, (await known(file)).done, statSync(file).size < 350]).toEqual([[101], 998, true]);
});

it("clears away what a killed process left, leaves other files, and fails on nothing", async () => {
  const path = folder();
  for (const name of ["list.jsonl.1.new", "fresh.jsonl.2.new", "notes.txt"]) writeFileSync(join(path, name), "x");
  rest(join(path, "list.jsonl.1.new"), 31);
  rest(join(path, "notes.txt"), 31);
  shortenOldJournals(path, NOW_MS);
  expect(["list.jsonl.1.new", "fresh.jsonl.2.new", "notes.txt"].map((name) => existsSync(join(path, name)))).toEqual([
    ...[false, true, true],
  ]);
  expect(() => shortenOldJournals(join(path, "none"), NOW_MS)).not.toThrow();
});
