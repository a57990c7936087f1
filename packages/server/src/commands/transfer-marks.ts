// What is left where data was transferred from, so that nobody serves it there by accident, beside where it is now.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { type DataFolder, writePrivateFile } from "../platform/data-folder.ts";
import { hidePassword } from "../platform/database-url.ts";
import { shellWord } from "../platform/shell-word.ts";

/** Marks the folder as transferred to the database at `url`. */
export function markFolder({ transferredFile }: DataFolder, url: string): void {
  writePrivateFile(transferredFile, `${hidePassword(url)}\n`);
}

/** Takes the mark back. */
export function unmarkFolder({ transferredFile }: DataFolder): void {
  rmSync(transferredFile, { force: true });
}

/** Throws if the folder's data was transferred to a server. */
export function requireFolderUntransferred({ path, transferredFile }: DataFolder): void {
  if (!existsSync(transferredFile)) return;
  const where = readFileSync(transferredFile, "utf8").trim();
  throw new Error(
    `what is in ${path} was transferred to ${where}: set DATABASE_URL, and use that; to go on here instead, with none of what came since, delete ${transferredFile}`,
  );
}

/** Throws if the data of the database at `url` was transferred to a folder. */
export function requireServerUntransferred(url: string, transferredTo: string | null): void {
  if (transferredTo === null) return;
  throw new Error(
    `what is in ${hidePassword(url)} was transferred to ${transferredTo}: unset DATABASE_URL, and use --data ${shellWord(transferredTo)}; to go on here instead, with none of what came since, run psql "$DATABASE_URL" -c "UPDATE installation SET transferred_to = NULL"`,
  );
}
