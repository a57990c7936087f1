import { chmodSync, constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import type { Restored } from "../dispatch/messages/restoration.ts";
import { type DataFolder, lockDataFolder, openDataFolder, requireNoLink } from "../platform/data-folder.ts";
import { fileNumber } from "../platform/file-lock.ts";
import { readDataFolder } from "../settings/config.ts";
import { UnreleasedTables } from "../store/migrate.ts";
import { withDataFolder } from "./data-failure.ts";
import { withDatabase } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { refuseServer } from "./installation.ts";
import { report } from "./verify.ts";

/** The suffixes of a database file and what SQLite keeps beside it. A log belongs only to its own database. */
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
        `${file} is the database of ${data} itself: nothing was changed. msgd restore --mark marks what waits in a database that other means put back`,
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
    // they are of the database that was there before
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
    throw new Error(`${file} is no database, or a damaged one: nothing was changed`, { cause: error });
  });
  if (inspection.age === undefined) throw new Error(`${file} is no backup of msgd: nothing was changed`);
  if (inspection.age === "newer") throw new Error(`${file} is of a newer msgd: restore it with that one`);
  if (report(inspection, output) > 0) throw new Error(`${file} does not stand the checks above: nothing was changed`);
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

/** Describes what a restored database cannot know, and what happens to it. */
export function describeDoubts({ messages, underWay, payments }: Restored): string {
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
 * `msgd restore --mark`: marks what waits in a database that was put back by other means than `msgd restore`, so that
 * it is asked about before it is sent. Throws, with nothing changed, while a server runs on the database.
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
