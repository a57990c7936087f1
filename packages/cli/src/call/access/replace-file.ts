/** Replaces a file in one step: whoever reads it, or is killed while writing it, has the old text or the new one whole. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * The file is 0600 from its first byte. Only under the folder's lock: the text grows in a file of a fixed name beside it,
 * so that what a killed writer leaves is gone with the next one.
 */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  writeDurably(next, text);
  renameSync(next, path);
  // Windows cannot open a folder, and keeps its entries by itself.
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
