// `msgd backup`, `verify` and `restore`.

import { chmodSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import type { Restored } from "../dispatch/messages/restoration.ts";
import { type DataFolder, lockDataFolder, openDataFolder, requireNoLink } from "../platform/data-folder.ts";
import { fileNumber } from "../platform/file-lock.ts";
import { readDataFolder } from "../settings/config.ts";
import type { Inspection } from "../store/databases.ts";
import { UnreleasedTables } from "../store/migrate.ts";
import { countOthers, refuseServer, withDatabase } from "./database.ts";
import type { CommandEnvironment, DataFlags, Output } from "./environment.ts";
import { withDataFolder } from "./failures.ts";

/**
 * `msgd backup`: copies the database to a new file, with or without a running server, and checks the copy. Throws if the file
 * exists or the copy cannot be made, leaving nothing behind. A copy that cannot be noted in the database is no failure.
 */
export async function runBackup(file: string, flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, env, output } = environment;
  refuseServer("backup", env);
  await withDatabase(flags, environment, async ({ folder }) => {
    const begunAt = clock.now();
    try {
      await databases.backUp(folder.databaseFile, file);
    } catch (error) {
      throw explain(error, file);
    }
    output.out(`${file}  ${statSync(file).size} bytes\n`);
    // after the copy, which has only those before it
    await databases.noteBackup(folder.databaseFile, begunAt).catch((error) => output.err(describeUnnoted(error)));
    output.err(describeRest(folder));
  });
}

function describeUnnoted(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The backup is whole, but the database could not be told of it, so the dashboard and /metrics go on to show the one before: ${reason}\n`;
}

/** Describes what a restore needs besides the backup; without it, a stolen backup is useless. */
function describeRest({ path }: DataFolder): string {
  return [
    "Keep apart from it, and as safe, what a restore needs too:",
    `  ${path}/pepper      without it no credential works`,
    `  MSGD_SECRET_KEY, or where none is set ${path}/secret-key: without it no SIP password and no callback secret opens`,
    "Check the copy with msgd restore into an empty folder, and msgd verify there.\n",
  ].join("\n");
}

function explain(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EEXIST":
      return new Error(`${file} exists, and is not written over: name another file`, { cause: error });
    case "ENOENT":
    case "ENOTDIR":
      return new Error(`${file} cannot be made: its folder does not exist`, { cause: error });
    case "ENOSPC":
    case "SQLITE_FULL":
      return new Error(`there is no space left for ${file}: nothing was kept of it`, { cause: error });
    case "EACCES":
    case "EROFS":
      return new Error(`no permission to write ${file}`, { cause: error });
    default:
      return error;
  }
}

const olderTables = "The tables are of an earlier msgd: run msgd migrate, then verify the data.\n";

/**
 * `msgd verify`: checks the database and the invariants of its data, in one snapshot, even beside a running
 * server. Prints a line for each check. Throws unless all hold, after printing the faults.
 */
export async function runVerify(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  await withDatabase(flags, environment, async ({ database, name, findSealPrefix }) => {
    const inspection = await environment.databases.inspect(database, environment.clock.now());
    const broken = report(inspection, environment.output);
    environment.output.err(describeUnknown(inspection));
    environment.output.err(describeSeals(inspection, findSealPrefix));
    if (inspection.age === "older") environment.output.err(olderTables);
    if (inspection.age === "newer") throw new Error("the tables are of a newer msgd: verify them with that one");
    if (inspection.age === undefined) throw new Error(`${name} is not a database of msgd`);
    if (broken > 0) {
      const checks = broken === 1 ? "1 check does" : `${broken} checks do`;
      const help =
        "url" in database
          ? "keep a dump of it, put a backup back, and then run msgd restore --mark"
          : "keep a copy of the folder, and put a backup back with msgd restore";
      throw new Error(`${checks} not hold in ${name}: ${help}`);
    }
  });
}

/** Prints each check and its faults. Returns how many do not hold. */
export function report({ reports }: Pick<Inspection, "reports">, output: Output): number {
  for (const { name, faults } of reports) {
    output.out(`${faults.length === 0 ? "ok    " : "WRONG "} ${name}\n`);
    for (const fault of faults) output.out(`         ${describe(fault)}\n`);
  }
  return reports.filter(({ faults }) => faults.length > 0).length;
}

/** Describes what only the carriers know, which no check of the data finds out. */
function describeUnknown({ restoration }: Inspection): string {
  const common = "Not known from the data: what carriers did that they have not told of yet.\n";
  if (restoration === undefined) return common;
  const { restoredAt, messages, calls, payments } = restoration;
  const moment = new Date(restoredAt).toISOString();
  const cause = "a backup was put back, or a carrier did not say what it had";
  const known = `${common}At ${moment} it may have been older than its carriers: ${cause}.\n`;
  const doubts = [count(messages, "message"), count(calls, "call"), count(payments, "payment")].flat();
  if (doubts.length === 0) return known;
  return `${known}Of what it held, in doubt still: ${doubts.join(", ")}; each is asked about before it is handed over.\n`;
}

/** Describes secrets that an older key has sealed: sound, but the server needs that key for as long. */
function describeSeals({ seals }: Inspection, findPrefix: () => string | undefined): string {
  if (seals.length === 0) return "";
  const others = countOthers(seals, findPrefix());
  const secrets = others === 1 ? "1 secret is" : `${others} secrets are`;
  return others === 0
    ? ""
    : `${secrets} sealed with a key that is not the first of MSGD_SECRET_KEY: msgd secrets reseal\n`;
}

/** Returns nothing for a count of zero. */
function count(number: number, noun: string): string[] {
  return number === 0 ? [] : [`${number} ${noun}${number === 1 ? "" : "s"}`];
}

function describe(fault: Readonly<Record<string, unknown>>): string {
  return Object.entries(fault)
    .map(([name, value]) => `${name} ${value ?? "-"}`)
    .join(", ");
}

/** Suffixes of a database file and of the files that SQLite keeps beside it. A log belongs only to its own database. */
const companions = ["", "-wal", "-shm"];

/**
 * `msgd restore`: replaces the folder's database with a backup, and keeps the old one under another name. Throws, with
 * nothing changed, while a server runs on the folder, and for a backup that fails any check of `msgd verify`.
 */
export async function runRestore(file: string, flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { env, output } = environment;
  refuseServer("restore", env);
  if (!existsSync(file)) throw new Error(`there is no file ${file}`);
  const data = readDataFolder(flags.data, env);
  await withDataFolder(data, async () => {
    const folder = openDataFolder(data);
    requireNoLink(folder);
    if (fileNumber(file) === fileNumber(folder.databaseFile)) {
      throw new Error(
        `${file} is the database of ${data} itself: nothing was changed. msgd restore --mark marks what waits in a database that was restored by other means`,
      );
    }
    const lock = lockDataFolder(folder);
    try {
      await replaceDatabase(file, folder, environment);
    } finally {
      lock.release();
    }
    if (!existsSync(folder.pepperFile)) {
      output.err(`There is no ${folder.pepperFile}: put it back before the server starts, or no credential works.\n`);
    }
  });
}

async function replaceDatabase(file: string, folder: DataFolder, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, output } = environment;
  const draft = `${folder.databaseFile}.restoring`;
  removeAll(draft);
  try {
    // check a copy: the backup may be on a read-only disk, or change meanwhile
    copyFileSync(file, draft, constants.COPYFILE_EXCL);
    chmodSync(draft, 0o600);
    if (await requireSound(draft, file, environment)) {
      await databases.migrate({ file: draft }, clock.now());
      await requireSound(draft, file, environment);
    }
    const doubts = await databases.markRestored({ file: draft }, clock.now());
    databases.flush(draft);
    const kept = keepAside(folder, clock.now());
    // remove the old log before replacing the database, or SQLite would apply it to the new one
    for (const companion of ["-wal", "-shm"]) rmSync(`${folder.databaseFile}${companion}`, { force: true });
    renameSync(draft, folder.databaseFile);
    // the index and the mark are of the database before
    removeAll(folder.searchFile);
    rmSync(folder.markFile, { force: true });
    databases.flush(folder.path);
    output.out(`${folder.databaseFile} is ${file} now\n`);
    output.err(describeDoubts(doubts));
    if (kept !== undefined) output.err(`What it was is kept as ${kept}: delete it when you need it no more.\n`);
  } finally {
    removeAll(draft);
  }
}

/** Throws unless the backup is sound. Returns whether it is older than this build, with its data unchecked. */
async function requireSound(
  draft: string,
  file: string,
  { clock, databases, output }: CommandEnvironment,
): Promise<boolean> {
  const inspection = await databases.inspect({ file: draft }, clock.now()).catch((error: unknown) => {
    if (error instanceof UnreleasedTables) {
      throw new Error(
        `${file} was made by a development build of msgd, before its first release, and no release reads it: nothing was changed. Restore it with the build that made it`,
      );
    }
    throw new Error(`${file} is not a database, or a damaged one: nothing was changed`, { cause: error });
  });
  if (inspection.age === undefined) throw new Error(`${file} is not a backup of msgd: nothing was changed`);
  if (inspection.age === "newer") throw new Error(`${file} is of a newer msgd: restore it with that one`);
  if (report(inspection, output) > 0) throw new Error(`${file} fails the checks above: nothing was changed`);
  return inspection.age === "older";
}

/** Links the database and its log under a second name. Returns that name, or undefined without a database. */
function keepAside({ databaseFile }: DataFolder, now: number): string | undefined {
  if (!existsSync(databaseFile)) return undefined;
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  let kept = `${databaseFile}.before-${stamp}`;
  for (let count = 2; existsSync(kept); count += 1) kept = `${databaseFile}.before-${stamp}-${count}`;
  for (const companion of companions) {
    if (existsSync(`${databaseFile}${companion}`)) linkSync(`${databaseFile}${companion}`, `${kept}${companion}`);
  }
  return kept;
}

function removeAll(databaseFile: string): void {
  for (const companion of companions) rmSync(`${databaseFile}${companion}`, { force: true });
}

/** Describes the messages and payments that a restored database is in doubt about. */
function describeDoubts({ messages, underWay, payments }: Restored): string {
  return [
    `Since the backup was made, ${messages} messages and ${payments} payments that wait in it may have gone out, and calls`,
    "that it has yet to begin. The server asks the carrier about each before it hands anything over: what was taken is",
    "recorded, what was not is sent, and what the carrier cannot tell is left alone and ends UNKNOWN.",
    `${underWay} messages that were with the carrier are asked about once more.`,
    "What was accepted after the backup is not in it, nor the opt-outs that came since: do these again. Passwords, roles,",
    "disabled users and revoked keys are as of the backup: look through msgd users list and msgd keys list. Links that set a",
    "password have ended (msgd users reset gives another), and whoever was signed in to the dashboard signs in again.\n",
  ].join("\n");
}

/**
 * `msgd restore --mark`: marks everything that waits in a database that was restored by other means than `msgd
 * restore`, so that carriers are asked about it before it is sent. Throws, with nothing changed, while a server runs on
 * the database.
 */
export async function runRestoreMark(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, output } = environment;
  await withDatabase(flags, environment, async ({ database, folder, name }) => {
    const lock = "file" in database ? lockDataFolder(folder) : undefined;
    try {
      await databases.migrate(database, clock.now());
      const doubts = await databases.markRestored(database, clock.now());
      if ("file" in database) rmSync(folder.markFile, { force: true });
      output.out(`${name} is marked as put back\n`);
      output.err(describeDoubts(doubts));
    } finally {
      lock?.release();
    }
  });
}
