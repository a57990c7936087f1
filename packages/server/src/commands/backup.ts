import { statSync } from "node:fs";
import type { DataFolder } from "../platform/data-folder.ts";
import { withDatabase } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { refuseServer } from "./installation.ts";

/**
 * `msgd backup`: copies the database to a new file, with or without a running server, and checks the copy. Throws when
 * the file exists or the copy cannot be made, leaving nothing behind. That the database could not be told of it is said, and no failure.
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
    // afterwards: the copy tells of those before it
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
