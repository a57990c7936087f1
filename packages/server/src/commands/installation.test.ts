// Chooses where the index of searches is kept when the database is on a server.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findInstallation } from "./installation.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "msgd-index-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const DATABASE_URL = "postgres://msgd@127.0.0.1/msgd";
const find = (data?: string) => {
  const { searchFile, unwritable } = findInstallation(data === undefined ? {} : { data }, { DATABASE_URL });
  return { searchFile, unwritable };
};

it("is the named folder, whether or not that is there yet, and nowhere without one", () => {
  const folder = join(parent, "a", "data");
  expect(find(folder)).toEqual({ searchFile: join(folder, "search.db"), unwritable: undefined });
  expect(find(parent)).toEqual({ searchFile: join(parent, "search.db"), unwritable: undefined });
  expect(find()).toEqual({ searchFile: undefined, unwritable: undefined });
  expect(existsSync(folder)).toBe(false);
});

it("is not a folder that cannot be made", () => {
  writeFileSync(join(parent, "file"), "");
  const folder = join(parent, "file", "data");
  expect(find(folder)).toEqual({ searchFile: undefined, unwritable: folder });
});

it.skipIf(process.platform === "win32" || process.getuid?.() === 0)("is not a folder that may not be written", () => {
  const folder = join(parent, "closed");
  mkdirSync(folder);
  chmodSync(folder, 0o500);
  expect(find(folder)).toEqual({ searchFile: undefined, unwritable: folder });
});
