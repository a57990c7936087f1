// Names temporary folders. Each process removes its own and those of processes that were killed.

import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAME = /^msgd-(\d+)-[0-9a-f]{16}$/;

/** Names a folder for this process without creating it, and removes the folders of processes that were killed. */
export function nameTemporaryFolder(parent = tmpdir()): { readonly path: string; remove(): void } {
  for (const name of listNames(parent)) {
    const [, pid] = NAME.exec(name) ?? [];
    if (pid !== undefined && isOver(Number(pid))) remove(join(parent, name));
  }
  const path = join(parent, `msgd-${process.pid}-${randomBytes(8).toString("hex")}`);
  return { path, remove: () => remove(path) };
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // if the folder for temporary files is missing, creating this one fails later
    return [];
  }
}

/** Returns whether the process has ended. This process's own id counts as ended: restarted containers reuse ids. */
function isOver(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // a folder of another user stays until that user's next process removes it
  }
}
