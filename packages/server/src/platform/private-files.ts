// Refuses files with secrets that other users of the machine can read. Windows has no modes that would tell.

import { readdirSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "./shell-word.ts";

/** Throws if others can read the file. Pipes and what is not there are left to whoever reads them. */
export function requirePrivateFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || !isOpen(stats)) return;
  throw new Error(
    `${file} holds secrets, and other users of this machine can read it (mode ${octal(stats)}): chmod 600 ${shellWord(file)}, or write it to standard input and name it -`,
  );
}

/** Throws if others can enter the folder and read a file in it. */
export function requirePrivateFolder(path: string): void {
  const folder = statSync(path);
  if (!isOpen(folder)) return;
  const open = readdirSync(path).filter((name) => {
    const stats = statSync(join(path, name), { throwIfNoEntry: false });
    return stats?.isFile() && isOpen(stats);
  });
  if (open.length === 0) return;
  throw new Error(
    `other users of this machine can read ${open.slice(0, MOST_NAMED).join(", ")} in ${path} (mode ${octal(folder)}): chmod -R go= ${shellWord(path)}. If somebody may have read them, rotate every key and make the secrets anew (docs/operations.md, "The data folder")`,
  );
}

const MOST_NAMED = 5;

/** Whether all may read or enter it, or a group that msgd is not in: Kubernetes gives volumes to a group of the pod's. */
function isOpen({ mode, gid }: Stats): boolean {
  const own = process.getgroups?.();
  if (own === undefined) return false;
  return (mode & 0o005) !== 0 || ((mode & 0o050) !== 0 && gid !== process.getegid?.() && !own.includes(gid));
}

function octal({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}
