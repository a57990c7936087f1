// `msgd backup`, `verify` and `restore`.

import { chmodSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import type { Restored } from "../dispatch/messages/restoration.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { type DataFolder, lockDataFolder, openDataFolder, requireNoLink } from "../platform/data-folder.ts";
import { fileNumber } from "../platform/file-lock.ts";
import { readDataFolder } from "../settings/config.ts";
import type { Inspection } from "../store/databases.ts";
import { UnreleasedTables } from "../store/migrate.ts";
import type { Work } from "../store/store.ts";
import { noteCommand } from "./command-audit.ts";
import { countOthers, refuseServer, withDatabase } from "./database.ts";
import type { CommandEnvironment, DataFlags, Output } from "./environment.ts";
import { withDataFolder } from "./failures.ts";

/**
 * `msgd backup`: copies the database to a new file, even while a server runs, and checks the copy. Throws, and leaves nothing
 * behind, if the file exists or the copy cannot be made. Only warns if the backup cannot be recorded in the database.
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
    // recorded after the copy, so that the copy lists only earlier backups
    await databases.noteBackup(folder.databaseFile, begunAt).catch((error) => output.err(describeUnnoted(error)));
    output.err(describeRest(folder));
  });
}

function describeUnnoted(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The backup is complete, but it could not be recorded in the database, so the dashboard and /metrics still show the previous one: ${reason}\n`;
}

/** Describes what a restore needs besides the backup. Without these files a stolen backup is useless. */
function describeRest({ path }: DataFolder): string {
  return [
    "A restore also needs the following. Keep them in another place that is as safe as the backup's:",
    `  ${path}/pepper      without it no credential works`,
    `  MSGD_SECRET_KEY, or if it is not set ${path}/secret-key: without it SIP passwords and callback secrets cannot be opened`,
    "To test the backup, run msgd restore into an empty folder, then msgd verify there.\n",
  ].join("\n");
}

function explain(error: unknown, file: string): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "EEXIST":
      return new Error(`${file} exists and is not overwritten: name another file`, { cause: error });
    case "ENOENT":
    case "ENOTDIR":
      return new Error(`${file} cannot be created: its folder does not exist`, { cause: error });
    case "ENOSPC":
    case "SQLITE_FULL":
      return new Error(`there is no space left for ${file}: the incomplete file was removed`, { cause: error });
    case "EACCES":
    case "EROFS":
      return new Error(`no permission to write ${file}`, { cause: error });
    default:
      return error;
  }
}

const olderTables = "The tables belong to an older version of msgd: run msgd migrate, then verify the data.\n";

/**
 * `msgd verify`: checks the database and the invariants of its data, in one snapshot, even while a server runs. Prints a
 * line for each check, and the faults. Throws if a check fails.
 */
export async function runVerify(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  await withDatabase(flags, environment, async ({ database, name, findSealPrefix }) => {
    const inspection = await environment.databases.inspect(database, environment.clock.now());
    const broken = report(inspection, environment.output);
    environment.output.err(describeUnknown(inspection));
    environment.output.err(describeSeals(inspection, findSealPrefix));
    if (inspection.age === "older") environment.output.err(olderTables);
    if (inspection.age === "newer")
      throw new Error("the tables belong to a newer version of msgd: verify them with that version");
    if (inspection.age === undefined) throw new Error(`${name} is not a database of msgd`);
    if (broken > 0) {
      const checks = broken === 1 ? "1 check does" : `${broken} checks do`;
      const help =
        "url" in database
          ? "keep a dump of it, restore a backup, and then run msgd restore --mark"
          : "keep a copy of the folder, and restore a backup with msgd restore";
      throw new Error(`${checks} not hold in ${name}: ${help}`);
    }
  });
}

/** Prints each check and its faults. Returns the number of failed checks. */
export function report({ reports }: Pick<Inspection, "reports">, output: Output): number {
  for (const { name, faults } of reports) {
    output.out(`${faults.length === 0 ? "ok    " : "WRONG "} ${name}\n`);
    for (const fault of faults) output.out(`         ${describe(fault)}\n`);
  }
  return reports.filter(({ faults }) => faults.length > 0).length;
}

/** Describes what no check of the data can find, because only the carriers know it. */
function describeUnknown({ restoration }: Inspection): string {
  const common = "The data does not show what carriers have done but not reported yet.\n";
  if (restoration === undefined) return common;
  const { restoredAt, messages, calls, payments } = restoration;
  const moment = new Date(restoredAt).toISOString();
  const cause = "a backup was restored, or a carrier could not list its messages";
  const known = `${common}At ${moment} it may have been older than its carriers: ${cause}.\n`;
  const doubts = [count(messages, "message"), count(calls, "call"), count(payments, "payment")].flat();
  if (doubts.length === 0) return known;
  return `${known}Still in doubt: ${doubts.join(", ")}. The carrier is asked about each before it is sent.\n`;
}

/** Describes secrets that are sealed with an older key. They are valid, but the server needs that key until a reseal. */
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

/** Suffixes of a database file and of the files that SQLite keeps beside it. A log must stay with its own database. */
const companions = ["", "-wal", "-shm"];

/**
 * `msgd restore`: replaces the folder's database with a backup, and keeps the old one under another name. Throws, and
 * changes nothing, if a server runs on the folder or if the backup fails a check of `msgd verify`.
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
        `${file} is the database of ${data} itself: nothing was changed. If it was restored by other means, run msgd restore --mark`,
      );
    }
    const lock = lockDataFolder(folder);
    try {
      await replaceDatabase(file, folder, environment);
    } finally {
      lock.release();
    }
    if (!existsSync(folder.pepperFile)) {
      output.err(`${folder.pepperFile} is missing: restore it before the server starts, or no credential works.\n`);
    }
  });
}

async function replaceDatabase(file: string, folder: DataFolder, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, output } = environment;
  const draft = `${folder.databaseFile}.restoring`;
  removeAll(draft);
  try {
    // check a copy, because the backup may be on a read-only disk or change meanwhile
    copyFileSync(file, draft, constants.COPYFILE_EXCL);
    chmodSync(draft, 0o600);
    if (await requireSound(draft, file, environment)) {
      await databases.migrate({ file: draft }, clock.now());
      await requireSound(draft, file, environment);
    }
    const doubts = await databases.markRestored(
      { file: draft },
      clock.now(),
      noteRestore(`backup ${file}`, environment),
    );
    databases.flush(draft);
    const kept = keepAside(folder, clock.now());
    // remove the old log before replacing the database, or SQLite would apply it to the new one
    for (const companion of ["-wal", "-shm"]) rmSync(`${folder.databaseFile}${companion}`, { force: true });
    renameSync(draft, folder.databaseFile);
    // the index and the mark belong to the replaced database
    removeAll(folder.searchFile);
    rmSync(folder.markFile, { force: true });
    databases.flush(folder.path);
    output.out(`${folder.databaseFile} is ${file} now\n`);
    output.err(describeDoubts(doubts));
    if (kept !== undefined) output.err(`The old database is kept as ${kept}: delete it when you no longer need it.\n`);
  } finally {
    removeAll(draft);
  }
}

/** Returns the work that records a restore. The restored database has the audit as of the backup. */
function noteRestore(target: string, environment: CommandEnvironment): Work<void> {
  return (tx) => noteCommand(tx, environment, { tenantId: EVERY_TENANT, operation: "restore", target });
}

/** Throws if the backup is not valid. Returns whether its tables are older than this build; then its data is unchecked. */
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
    throw new Error(`${file} is damaged, or is not a database: nothing was changed`, { cause: error });
  });
  if (inspection.age === undefined) throw new Error(`${file} is not a backup of msgd: nothing was changed`);
  if (inspection.age === "newer")
    throw new Error(`${file} was made by a newer version of msgd: restore it with that version`);
  if (report(inspection, output) > 0) throw new Error(`${file} fails the checks above: nothing was changed`);
  return inspection.age === "older";
}

/** Links the database and its log under a second name. Returns that name; undefined if there is no database. */
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

/** Describes the messages and payments that a restored database has in doubt. */
function describeDoubts({ messages, underWay, payments }: Restored): string {
  return [
    `${messages} messages and ${payments} payments wait in this backup, and calls that are not begun. Any of them may have`,
    "been sent since the backup was made. The server asks the carrier about each one before it sends it. If the carrier",
    "accepted it, that is recorded; if not, it is sent; if the carrier cannot tell, it is not sent and ends UNKNOWN.",
    `Carriers are asked again about ${underWay} messages that they already had.`,
    "The backup lacks all requests and opt-outs since it was made: enter these again. Passwords, roles, disabled users and",
    "revoked keys are as of the backup: check msgd users list and msgd keys list. Password links have ended (msgd users",
    "reset makes a new one), and all users of the dashboard have to sign in again.\n",
  ].join("\n");
}

/**
 * `msgd restore --mark`: for a database that was restored without `msgd restore`. Marks everything that waits in it, so that
 * carriers are asked about it before it is sent. Throws, and changes nothing, if a server runs on the database.
 */
export async function runRestoreMark(flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { clock, databases, output } = environment;
  await withDatabase(flags, environment, async ({ database, folder, name }) => {
    const lock = "file" in database ? lockDataFolder(folder) : undefined;
    try {
      await databases.migrate(database, clock.now());
      const doubts = await databases.markRestored(database, clock.now(), noteRestore("--mark", environment));
      if ("file" in database) rmSync(folder.markFile, { force: true });
      output.out(`${name} is marked as restored\n`);
      output.err(describeDoubts(doubts));
    } finally {
      lock?.release();
    }
  });
}
