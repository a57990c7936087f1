// The mark on a folder whose data was transferred: nobody serves it there by accident, beside where it is now.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { type DataFolder, writePrivateFile } from "../platform/data-folder.ts";
import { hidePassword } from "../platform/database-url.ts";

/** Marks the folder as transferred to the database at `url`. */
export function markTransferred({ transferredFile }: DataFolder, url: string): void {
  writePrivateFile(transferredFile, `${hidePassword(url)}\n`);
}

/** Takes the mark back. */
export function unmarkTransferred({ transferredFile }: DataFolder): void {
  rmSync(transferredFile, { force: true });
}

/** Throws if the folder's data was transferred to a server. */
export function requireUntransferred({ path, transferredFile }: DataFolder): void {
  if (!existsSync(transferredFile)) return;
  const where = readFileSync(transferredFile, "utf8").trim();
  throw new Error(
    `what is in ${path} was transferred to ${where}: set DATABASE_URL, and use that; to go on here instead, with none of what came since, delete ${transferredFile}`,
  );
}
