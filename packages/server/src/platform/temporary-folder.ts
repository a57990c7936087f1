// A folder among the system's temporary files that ends with its process, however that ends.

import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const NAME = /^msgd-(\d+)-[0-9a-f]{16}$/;

export interface TemporaryFolder {
  /** Its path: whoever writes into it makes it. */
  readonly path: string;
  remove(): void;
}

/** Names a folder for this process, and removes those of processes that were killed. */
export function nameTemporaryFolder(parent = tmpdir()): TemporaryFolder {
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
    // a machine without such files: whoever needs the folder is told
    return [];
  }
}

/** One of this process's own number is of an earlier one: a container's is always the same. */
function isOver(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** What is another user's stays. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // its owner's next process removes it
  }
}
