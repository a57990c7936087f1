import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../engines.ts";
import { systemClock } from "../platform/clock.ts";
import { openDataFolder, readPepper, writePrivateFile } from "../platform/data-folder.ts";
import { CommitInDoubt, StoreUnavailable } from "../store/store.ts";
import { withDataFolder } from "./failures.ts";

let parent: string;
let data: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "msgd-data-"));
  data = join(parent, "data");
});
afterEach(() => rmSync(parent, { recursive: true }));

/** Opens everything that a command opens. */
async function open(path = data): Promise<void> {
  await withDataFolder(path, async () => {
    const folder = openDataFolder(path);
    readPepper(folder);
    const store = await openStore({ database: { file: folder.databaseFile }, clock: systemClock });
    await store.close();
  });
}

describe("a data folder", () => {
  it("is created, and can be opened again", async () => {
    await open();
    await open();
  });

  it("is refused if it is a file", async () => {
    writeFileSync(data, "");
    const look = () => withDataFolder(data, async () => lstatSync(join(data, "msgd.db")));
    await expect(look()).rejects.toThrow(`${data} cannot be the data folder: there is a file in its place`);
    await expect(open()).rejects.toThrow(`${data} cannot be the data folder: there is a file in its place`);
    await expect(open(join(data, "deeper"))).rejects.toThrow(
      "there is a file in its place; choose another with --data",
    );
  });

  // root can write anywhere, and Windows has no such modes
  it.skipIf(process.platform === "win32" || process.getuid?.() === 0)(
    "is refused if it belongs to another user",
    async () => {
      mkdirSync(data);
      chmodSync(parent, 0o500);
      chmodSync(data, 0o500);
      await expect(open()).rejects.toThrow("no permission to read or write");
      chmodSync(parent, 0o700);
      chmodSync(data, 0o700);
    },
  );

  it("is refused if its database is not a database", async () => {
    await open();
    for (const name of ["msgd.db", "msgd.db-wal"]) writeFileSync(join(data, name), "not a database ".repeat(400));
    await expect(open()).rejects.toThrow(/^a database in .* is damaged \(.+\): restore a backup/);
  });

  it("is refused if a folder is in the database's place", async () => {
    mkdirSync(join(data, "msgd.db"), { recursive: true });
    await expect(open()).rejects.toThrow(`${join(data, "msgd.db")} is a folder where msgd keeps a file`);
  });

  it("is refused if its pepper is damaged, and the pepper's file is kept", async () => {
    await open();
    writePrivateFile(join(data, "pepper"), "short\n");
    await expect(open()).rejects.toThrow(/pepper is damaged: expected at least 32 characters, found 5\. Put it back/);
  });
});

describe("a failure", () => {
  const failWith = (code: string, more = {}) =>
    withDataFolder("the-folder", () =>
      Promise.reject(Object.assign(new Error("words of the system"), { code, ...more })),
    );

  it.each([
    ["EACCES", "no permission to read or write the-folder"],
    ["EROFS", "the-folder is on a disk that may only be read"],
    ["SQLITE_READONLY_DIRECTORY", "the database in the-folder cannot be opened for writing"],
    ["SQLITE_CANTOPEN", "the database in the-folder cannot be opened for writing"],
    ["SQLITE_CORRUPT_INDEX", "a database in the-folder (msgd.db or simulator.db) is damaged (words of the system)"],
    ["ENOSPC", "there is no space left for the-folder"],
    ["SQLITE_FULL", "there is no space left for the-folder"],
    ["SQLITE_BUSY", "another process keeps the database in the-folder busy"],
    ["ENAMETOOLONG", "received 10 characters"],
  ])("of code %s is explained in plain words", async (code, words) => {
    await expect(failWith(code)).rejects.toThrow(words);
  });

  it("of the store is explained by its cause", async () => {
    const cause = Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT_VTAB" });
    const failed = new StoreUnavailable("the database failed: SQLITE_CORRUPT_VTAB", { cause });
    const wrapped = new StoreUnavailable("the database did not take a write", { cause: failed });
    await expect(withDataFolder("the-folder", () => Promise.reject(wrapped))).rejects.toThrow(
      "a database in the-folder (msgd.db or simulator.db) is damaged (malformed)",
    );
    const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
    const inDoubt = new CommitInDoubt("the disk did not take a commit: restart msgd", { cause: full });
    await expect(withDataFolder("the-folder", () => Promise.reject(inDoubt))).rejects.toThrow("there is no space left");
  });

  it("keeps the text of a command's error, whatever its cause", async () => {
    const cause = Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT" });
    const words = Promise.reject(new Error("the backup is damaged: nothing was changed", { cause }));
    await expect(withDataFolder("the-folder", () => words)).rejects.toThrow("the backup is damaged");
  });

  it("names a folder that cannot be created", async () => {
    const more = { syscall: "mkdir", path: "/proc/data" };
    await expect(failWith("ENOENT", more)).rejects.toThrow("/proc/data cannot be made there: choose another folder");
    await expect(failWith("ENOENT", { syscall: "open" })).rejects.toThrow(/^words of the system$/);
  });

  it("names the file that failed", async () => {
    await expect(failWith("EACCES", { path: "the-folder/pepper" })).rejects.toThrow("write the-folder/pepper:");
  });

  it("of any other kind is passed on", async () => {
    await expect(failWith("EOTHER")).rejects.toThrow(/^words of the system$/);
    const words = Promise.reject(new TypeError("a mistake of ours"));
    await expect(withDataFolder("the-folder", () => words)).rejects.toThrow(TypeError);
  });
});
