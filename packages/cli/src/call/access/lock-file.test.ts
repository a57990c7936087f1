import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { folder } from "../../testing/world.ts";
import { tryLock } from "./lock-file.ts";

/** What happens as a new lock is about to be written. */
const meanwhile = vi.hoisted(() => ({ act: () => {} }));
vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof import("node:fs")>();
  const writeSync = (file: number, bytes: Buffer) => {
    meanwhile.act();
    return fs.writeSync(file, bytes);
  };
  return { ...fs, writeSync, default: { ...fs, writeSync } };
});

it("is not taken by a process that was so slow to write it that another has taken it over", () => {
  const path = join(folder(), "lock");
  const another = `${process.pid} another elsewhere.example`;
  meanwhile.act = () => {
    rmSync(path);
    writeFileSync(path, another);
  };
  expect(tryLock(path)).toBeUndefined();
  expect(readFileSync(path, "utf8")).toBe(another);
  meanwhile.act = () => {};
  rmSync(path);
  expect(tryLock(path)).toBeTypeOf("function");
});
