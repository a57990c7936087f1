import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { readErrorCode } from "../../failures/thrown.ts";

/**
 * Creates a folder and its parents, accessible to their owner only. Node's own `recursive` option reports ENOENT on a
 * read-only disk, and never returns for a path below /proc (Node 20.20).
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const code = readErrorCode(error);
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeLast(path);
  }
}

function makeLast(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // another process may just have created the folder
    if (readErrorCode(error) !== "EEXIST") throw error;
  }
}
