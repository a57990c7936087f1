// The account that PostgreSQL runs as: it refuses root.

import { execFileSync } from "node:child_process";

/** An account of the system. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account `nobody` if this process is root's, else undefined: its own account will do. */
export function findUnprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (what: string) => Number(execFileSync("id", [what, "nobody"], { encoding: "utf8", stdio: "pipe" }));
  try {
    return { uid: ask("-u"), gid: ask("-g") };
  } catch (error) {
    throw new Error(
      "PostgreSQL does not run as root, and there is no account `nobody` to run it as: run the tests as another user, or set TEST_DATABASE_URL",
      { cause: error },
    );
  }
}
