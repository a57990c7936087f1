// Backups while other processes run, and backups read by other programs.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeCommandEnvironment } from "../testing/command-environment.ts";
import { runBackup } from "./backup.ts";
import type { CommandEnvironment } from "./environment.ts";
import { runTenantsCreate } from "./tenants.ts";

let folder: string;
let backup: string;
let environment: CommandEnvironment;
const children = new Set<ChildProcess>();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-backup-"));
  backup = join(folder, "backup.db");
  ({ environment } = makeCommandEnvironment(join(folder, "data")));
  await runTenantsCreate("Acme", { output: "text", timezone: "UTC" }, environment);
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
  rmSync(folder, { recursive: true });
});

/** Starts another process that makes a backup to the same file and stops halfway. */
async function beginBackup(): Promise<{ draft: string; kill(): Promise<unknown> }> {
  const before = new Set(readdirSync(folder));
  const source = fileURLToPath(new URL("../store/sqlite/database-file.ts", import.meta.url));
  // a read that never returns, after half of the copy was written
  const program = `
    const Database = require("better-sqlite3");
    Database.prototype.backup = (draft) => {
      require("node:fs").writeFileSync(draft, Buffer.alloc(10_000));
      process.stdout.write("half");
      setInterval(() => {}, 60_000);
      return new Promise(() => {});
    };
    import(${JSON.stringify(pathToFileURL(source).href)}).then((module) => module.backUpDatabase(...process.argv.slice(1)));
  `;
  const words = ["--import", "tsx", "-e", program, join(folder, "data", "msgd.db"), backup];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"], cwd: import.meta.dirname });
  children.add(child);
  await once(child.stdout, "data");
  const [draft = ""] = readdirSync(folder).filter((name) => name !== "data" && !before.has(name));
  return {
    draft,
    async kill() {
      const end = once(child, "exit");
      child.kill("SIGKILL");
      await end;
    },
  };
}

it("a backup removes the unfinished file of a killed backup, but not that of a running one", async () => {
  const killed = await beginBackup();
  const working = await beginBackup();
  await killed.kill();
  await runBackup(backup, {}, environment);
  expect(readdirSync(folder).sort()).toEqual(["backup.db", working.draft, "data"]);
  expect(statSync(join(folder, working.draft, "copy.db")).size).toBe(10_000);
  await working.kill();
  await expect(runBackup(backup, {}, environment)).rejects.toThrow("exists and is not overwritten");
  expect(readdirSync(folder).sort()).toEqual(["backup.db", "data"]);
});

it("the sqlite3 shell can read a backup", async () => {
  await runBackup(backup, {}, environment);
  const script =
    "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT name FROM tenants').fetchall())";
  expect(spawnSync("python3", ["-c", script, backup], { encoding: "utf8" }).stdout).toBe("[('Acme',)]\n");
});
