// The folder of the search index if the database is on a server.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findInstallation } from "./database.ts";

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "msgd-index-"));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

const DATABASE_URL = "postgres://msgd@127.0.0.1/msgd";
const find = (env: NodeJS.ProcessEnv, url = DATABASE_URL) => {
  const { searchFile, unwritable } = findInstallation({}, { DATABASE_URL: url, ...env });
  return { searchFile, unwritable };
};

it.each([
  ["the folder named by a variable", "x", { MSGD_SEARCH_FOLDER: "x", XDG_CACHE_HOME: "y", HOME: "z" }],
  ["the user's cache folder", "x/msgd", { XDG_CACHE_HOME: "x", HOME: "z", MSGD_DATA: "d" }],
  ["the cache folder of Windows", "x/msgd", { LOCALAPPDATA: "x", HOME: "z" }],
  ["the home folder", "z/.cache/msgd", { HOME: "z", MSGD_SEARCH_FOLDER: undefined }],
] as const)(
  "the index is in %s, with a subfolder for each database, and no folder is created",
  (_name, folder, relative) => {
    const env = Object.fromEntries(Object.entries(relative).map(([name, path]) => [name, path && join(parent, path)]));
    const [one, other] = [find(env).searchFile ?? "", find(env, "postgres://msgd@127.0.0.1/other").searchFile ?? ""];
    for (const file of [one, other]) expect(dirname(dirname(file))).toBe(join(parent, folder));
    expect(dirname(one)).not.toBe(dirname(other));
    // a new password does not need a new index
    expect(find(env, DATABASE_URL.replace("@", ":secret@"))).toEqual(find(env, DATABASE_URL.replace("@", ":new@")));
    expect(readdirSync(parent)).toEqual([]);
  },
);

it("there is no index for a user without a cache folder, whatever the working directory", () => {
  for (const env of [{}, { XDG_CACHE_HOME: "cache", HOME: "" }, { MSGD_DATA: parent }]) {
    expect(find(env)).toEqual({ searchFile: undefined, unwritable: undefined });
  }
  expect(() => find({ MSGD_SEARCH_FOLDER: "search" })).toThrow(
    'MSGD_SEARCH_FOLDER: expected an absolute path, such as /var/cache/msgd, received "search"',
  );
});

it("there is no index if its folder cannot be created", () => {
  writeFileSync(join(parent, "file"), "");
  const folder = join(parent, "file", "cache");
  expect(find({ MSGD_SEARCH_FOLDER: folder })).toEqual({ searchFile: undefined, unwritable: folder });
});

it.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
  "there is no index if its folder is not writable",
  () => {
    const folder = join(parent, "closed");
    mkdirSync(folder);
    chmodSync(folder, 0o500);
    expect(find({ MSGD_SEARCH_FOLDER: folder })).toEqual({ searchFile: undefined, unwritable: folder });
  },
);
