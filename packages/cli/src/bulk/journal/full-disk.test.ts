import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { folder } from "../../testing/world.ts";
import { openJournal } from "./journal.ts";

/** Free space on the disk, in bytes. */
let room = Number.POSITIVE_INFINITY;
beforeEach(() => {
  const { writeSync } = fs;
  const write = (file: number, bytes: Buffer, offset: number, length: number, position: number) => {
    if (room === 0) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    const written = writeSync(file, bytes, offset, Math.min(length, room), position);
    room -= written;
    return written;
  };
  vi.spyOn(fs, "writeSync").mockImplementation(write as typeof writeSync);
  syncBuiltinESMExports();
});
afterEach(() => {
  room = Number.POSITIVE_INFINITY;
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const runAt = (beganAtMs: number) => ({ beganAtMs, account: "a", rowCount: 3, keyPrefix: "bulk" });
const waiting = { clock: createFakeClock(), signal: new AbortController().signal };

it("the journal drops a line that a full disk cut short, and the next line starts cleanly", async () => {
  const path = join(folder(), "list.jsonl");
  const first = await openJournal(path, waiting);
  first.begin(runAt(1000));
  first.done("r0", "msg_0");
  room = 5;
  expect(() => first.done("r1", "msg_1")).toThrow(/list\.jsonl cannot be written \(ENOSPC\); no more rows are started/);
  expect(first.stateOf("r1")).toBe("open");
  room = Number.POSITIVE_INFINITY;
  first.done("r2", "msg_2");
  first.close();
  const second = await openJournal(path, waiting);
  expect(["r0", "r1", "r2"].map((row) => second.stateOf(row))).toEqual(["done", "open", "done"]);
  second.close();
});
