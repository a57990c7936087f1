import { statSync } from "node:fs";
import type { DataFolder } from "../platform/data-folder.ts";
import { withDatabase } from "./database.ts";
import type { CommandEnvironment, DataFlags } from "./environment.ts";
import { refuseServer } from "./installation.ts";

/**
 * `msgd backup`: copies the database to a new file, with or without a running server, and checks the copy. Throws when
 * the file exists or the copy cannot be made, leaving nothing behind.
 */
export async function runBackup(file: string, flags: DataFlags, environment: CommandEnvironment): Promise<void> {
  const { databases, env, output } = environment;
  refuseServer("backup", env);
  await withDatabase(flags, environment, async ({ folder }) => {
    try {
      await databases.backUp(folder.databaseFile, file);
    } catch (error) {
      throw explain(error, file);
    }
    output.out(`${file}  ${statSync(file).size} bytes\n`);
    output.err(describeRest(folder));
  });
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
