import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../../testing/world.ts";
import { makeFolder } from "./make-folder.ts";

it("creates a folder and its parents for the owner only, and does not change an existing one", () => {
  const path = join(folder(), "a", "b", "c");
  makeFolder(path);
  writeFileSync(join(path, "file"), "");
  makeFolder(path);
  expect(existsSync(join(path, "file"))).toBe(true);
  if (process.platform !== "win32")
    for (const made of [path, join(path, ".."), join(path, "../..")]) expect(statSync(made).mode & 0o777).toBe(0o700);
});

it("reports a file where a parent folder should be", () => {
  const path = join(folder(), "file");
  writeFileSync(path, "");
  expect(() => makeFolder(join(path, "a", "b"))).toThrow(/ENOTDIR/);
});

it.skipIf(process.platform !== "linux")("fails where nobody can create a folder", () => {
  expect(() => makeFolder("/proc/msgctl/a")).toThrow(/ENOENT|EACCES|EPERM/);
});
