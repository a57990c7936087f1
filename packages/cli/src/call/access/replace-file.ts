/** Replaces a file atomically: a reader sees, and a killed writer leaves, the whole old text or the whole new one. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * The file is 0600 from its first byte. Call only under the folder's lock: the text is written to a file of a fixed
 * name beside it, so that the next writer removes what a killed one leaves.
 */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeDurably(next, text);
  renameSync(next, path);
  // Windows cannot open a folder, and persists its entries by itself.
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
