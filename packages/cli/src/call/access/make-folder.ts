import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { readErrorCode } from "../../failures/thrown.ts";

/**
 * Creates a folder and its parents, for its owner only. Node's own `recursive` reports ENOENT on a read-only disk, and never
 * ends below /proc (Node 20.20).
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
    // another process may have created it meanwhile
    if (readErrorCode(error) !== "EEXIST") throw error;
  }
}
