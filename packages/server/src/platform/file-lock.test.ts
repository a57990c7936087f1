import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FileLock, lockFile } from "./file-lock.ts";

let folder: string;
let path: string;
let lock: FileLock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msgd-lock-"));
  path = join(folder, "server.lock");
  lock = lockFile(path) as FileLock;
});
afterEach(() => {
  lock.release();
  rmSync(folder, { recursive: true });
});

it("a lock is held until it is released, and shows whether the file was new", () => {
  expect(lock.isNew).toBe(true);
  expect(lockFile(path)).toBeUndefined();
  lock.release();
  const next = lockFile(path);
  expect(next?.isNew).toBe(false);
  next?.release();
});

it("a lock is held even after no code refers to it", async () => {
  const other = join(folder, "other.lock");
  lockFile(other);
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await new Promise(setImmediate);
  }
  expect(lockFile(other)).toBeUndefined();
});

it("a lock is acquired again if its file was removed or replaced and no other process has locked it", () => {
  rmSync(path);
  expect(lock.keep()).toBe(true);
  expect(lockFile(path)).toBeUndefined();
  rmSync(path);
  writeFileSync(path, "");
  expect(lock.keep()).toBe(true);
  expect(lockFile(path)).toBeUndefined();
});

it("a lock is lost if another process has locked a new file with that name", () => {
  rmSync(path);
  const other = lockFile(path);
  expect(lock.keep()).toBe(false);
  expect(other?.keep()).toBe(true);
  other?.release();
});
