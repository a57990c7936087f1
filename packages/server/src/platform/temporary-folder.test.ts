import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nameTemporaryFolder } from "./temporary-folder.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "msgd-temporary-"));
});
afterEach(() => rmSync(parent, { recursive: true }));

it("a temporary folder is removed with its contents, and has an unpredictable name", () => {
  const folder = nameTemporaryFolder(parent);
  expect(existsSync(folder.path)).toBe(false);
  folder.remove();
  mkdirSync(join(folder.path, "inner"), { recursive: true });
  folder.remove();
  expect(readdirSync(parent)).toEqual([]);
});

it("only the folders of processes that have ended are removed", () => {
  const hex = "0123456789abcdef";
  // larger than any process id
  const gone = `msgd-999999999-${hex}`;
  const others = [`msgd-${process.ppid}-${hex}`, `msgd-999999999-${hex}0`, "msgd-e2e-x"];
  for (const name of [gone, `msgd-${process.pid}-${hex}`, ...others]) mkdirSync(join(parent, name));
  nameTemporaryFolder(parent);
  nameTemporaryFolder(join(parent, "none"));
  expect(readdirSync(parent).sort()).toEqual(others.sort());
});
