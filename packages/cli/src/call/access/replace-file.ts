/** Replaces a file atomically: even if the writer is killed, readers see the whole old text or the whole new text. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates the file with mode 0600. Call only under the folder's lock: the temporary file has a fixed name, so that the next
 * writer removes the one that a killed writer left.
 */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeDurably(next, text);
  renameSync(next, path);
  // Windows cannot open a folder to sync it, and persists folder entries anyway.
  if (process.platform !== "win32") syncFolder(dirname(path));
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
