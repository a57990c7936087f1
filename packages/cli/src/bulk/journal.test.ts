import { appendFileSync, readFileSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../invented/world.ts";
import { openJournal } from "./journal.ts";

const FAILURE = { code: "consent_required", message: "Zoë has not opted in." };

function journalOf(rowCount: number) {
  const path = join(folder(), "deep", "bulk", "list.jsonl");
  return { path, open: () => openJournal(path, rowCount) };
}

it("knows after a restart what it was told before", () => {
  const { open } = journalOf(5);
  const first = open();
  first.begin(1000);
  first.done(3, "msg_3");
  first.failed(1, FAILURE);
  first.done(0, undefined);
  first.close();
  const second = open();
  second.begin(2000);
  second.failed(4, { ...FAILURE, code: "later" });
  expect(second).toMatchObject({ begunAtMs: 1000, doneCount: 2, failedCount: 2 });
  expect([0, 1, 2, 3, 4].map((index) => second.isKnown(index))).toEqual([true, true, false, true, true]);
  expect([1, 2, 3, 4].map((index) => second.failureOf(index)?.code)).toEqual([
    "consent_required",
    undefined,
    undefined,
    "later",
  ]);
  expect(second.failureOf(1)).toEqual(FAILURE);
  second.close();
});

it("loses one row at most, wherever its last line is cut off", () => {
  const { path, open } = journalOf(3);
  const first = open();
  first.done(0, "msg_0");
  const whole = statSync(path).size;
  first.failed(1, FAILURE);
  first.close();
  const content = readFileSync(path);
  for (let size = content.length - 1; size >= whole; size -= 1) {
    truncateSync(path, 0);
    appendFileSync(path, content.subarray(0, size));
    const again = open();
    expect([again.isKnown(0), again.isKnown(1), again.doneCount]).toEqual([true, false, 1]);
    again.failed(1, FAILURE);
    expect(again.failureOf(1)).toEqual(FAILURE);
    again.close();
    const last = open();
    expect([last.isKnown(1), last.failureOf(1)]).toEqual([true, FAILURE]);
    last.close();
  }
});

it("counts a row once, and none that the list has not", () => {
  const { path, open } = journalOf(2);
  open().close();
  appendFileSync(path, '{"row":0}\n{"row":0}\nnonsense\n[1]\n{"row":7}\n{"row":-1}\n');
  expect(open()).toMatchObject({ doneCount: 1, failedCount: 0 });
});

it.skipIf(process.platform === "win32")("is nobody else's to read", () => {
  const { path, open } = journalOf(1);
  open().close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
});
