// Finds an account for PostgreSQL, which refuses to run as root.

import { execFileSync } from "node:child_process";

/** An account of the operating system. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account `nobody` if this process runs as root. Otherwise undefined: the process can use its own account. */
export function findUnprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (what: string) => Number(execFileSync("id", [what, "nobody"], { encoding: "utf8", stdio: "pipe" }));
  try {
    return { uid: ask("-u"), gid: ask("-g") };
  } catch (error) {
    throw new Error(
      "PostgreSQL refuses to run as root, and this machine has no account `nobody`: run the tests as another user, or set TEST_DATABASE_URL",
      { cause: error },
    );
  }
}
