import fs, { readFileSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { folder } from "../../testing/world.ts";
import { tryLock } from "./lock-file.ts";

/** Runs as a new lock is about to be written. */
let meanwhile = () => {};
beforeEach(() => {
  const { writeSync } = fs;
  vi.spyOn(fs, "writeSync").mockImplementation((...args: unknown[]) => {
    meanwhile();
    return Reflect.apply(writeSync, fs, args);
  });
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it("is not taken by a process that was so slow to write it that another has taken it over", () => {
  const path = join(folder(), "lock");
  const another = `${process.pid} another elsewhere.example`;
  meanwhile = () => {
    rmSync(path);
    writeFileSync(path, another);
  };
  expect(tryLock(path)).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe(another);
  meanwhile = () => {};
  rmSync(path);
  expect(tryLock(path)).toBeTypeOf("function");
});
