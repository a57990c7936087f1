import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockFile } from "../../platform/file-lock.ts";
import { backUpDatabase } from "./database-file.ts";

let folder: string;
let backups: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msgd-backup-"));
  backups = join(folder, "backups");
  mkdirSync(backups);
  new BetterSqlite3(join(folder, "msgd.db")).exec("CREATE TABLE notes (content TEXT)").close();
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Creates a folder with these files among the backups. */
function put(name: string, files: readonly string[]): void {
  mkdirSync(join(backups, name));
  for (const file of files) writeFileSync(join(backups, name, file), "");
}

/** Makes another backup, and returns the names of the files among the backups. */
async function namesAfter(name: string): Promise<string[]> {
  await backUpDatabase(join(folder, "msgd.db"), join(backups, name));
  return readdirSync(backups).sort();
}

it("a backup removes the leftovers of killed backups in its folder, whatever their names", async () => {
  put("msgd-2026-03-01.db.partial-aB3dE6", ["lock", "copy.db"]);
  put("msgd-2026-03-02.db.partial-000000", ["lock", "copy.db", "copy.db-journal"]);
  put("other.partial-Zz9Zz9", ["lock", "lock-journal", "copy.db", "copy.db-wal", "copy.db-shm"]);
  expect(await namesAfter("msgd-2026-03-03.db")).toEqual(["msgd-2026-03-03.db"]);
});

it("a backup does not disturb another running backup", async () => {
  put("msgd-2026-03-01.db.partial-aB3dE6", ["lock", "copy.db"]);
  const lock = lockFile(join(backups, "msgd-2026-03-01.db.partial-aB3dE6", "lock"));
  expect(await namesAfter("msgd-2026-03-02.db")).toContain("msgd-2026-03-01.db.partial-aB3dE6");
  lock?.release();
});

it.each<[string, string, string[]]>([
  ["with another file in it", "msgd.db.partial-aB3dE6", ["lock", "copy.db", "notes.txt"]],
  ["without a copy, which may have just been created", "msgd.db.partial-aB3dE6", ["lock"]],
  ["without a lock", "msgd.db.partial-aB3dE6", ["copy.db"]],
  ["of a longer name", "msgd.db.partial-aB3dE6.old", ["lock", "copy.db"]],
  ["of another name", "copies-aB3dE6", ["lock", "copy.db"]],
])("a backup does not remove a folder %s", async (_case, name, files) => {
  put(name, files);
  expect(await namesAfter("next.db")).toContain(name);
  expect(readdirSync(join(backups, name))).toEqual(files.sort());
});

it("a backup does not remove files or links that only have the name of a killed backup's folder", async () => {
  mkdirSync(join(folder, "elsewhere"));
  for (const file of ["lock", "copy.db"]) writeFileSync(join(folder, "elsewhere", file), "");
  symlinkSync(join(folder, "elsewhere"), join(backups, "linked.partial-aB3dE6"));
  writeFileSync(join(backups, "file.partial-aB3dE6"), "");
  expect(await namesAfter("next.db")).toEqual(["file.partial-aB3dE6", "linked.partial-aB3dE6", "next.db"]);
  expect(readdirSync(join(folder, "elsewhere"))).toEqual(["copy.db", "lock"]);
});

it("a backup ignores an invalid lock file, and does not remove its folder", async () => {
  put("msgd.db.partial-aB3dE6", ["copy.db"]);
  writeFileSync(join(backups, "msgd.db.partial-aB3dE6", "lock"), "a list of locks, in words. ".repeat(100));
  expect(await namesAfter("next.db")).toContain("msgd.db.partial-aB3dE6");
});
