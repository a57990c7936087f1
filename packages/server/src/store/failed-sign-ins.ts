// Failed sign-ins by subject: a keyed digest of an account or an address. They count from the first one on, for a time.

import type { Transaction } from "./store.ts";

export interface FailedSignIns {
  /** Of the first, in epoch milliseconds. */
  readonly since: number;
  readonly failures: number;
}

/** Those counted from `from` on. */
export function findFailedSignIns(tx: Transaction, subject: string, from: number): Promise<FailedSignIns | undefined> {
  return tx.get<FailedSignIns>(
    "SELECT since, failures FROM failed_sign_ins WHERE subject = $1 AND since > $2",
    subject,
    from,
  );
}

/** Counts one more; from one on again if the first was at `from` or before. */
export async function countFailedSignIn(
  tx: Transaction,
  { subject, from, now }: { subject: string; from: number; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO failed_sign_ins (subject, since, failures) VALUES ($1, $3, 1)
     ON CONFLICT (subject) DO UPDATE SET
       failures = CASE WHEN failed_sign_ins.since > $2 THEN failed_sign_ins.failures + 1 ELSE 1 END,
       since = CASE WHEN failed_sign_ins.since > $2 THEN failed_sign_ins.since ELSE excluded.since END`,
    subject,
    from,
    now,
  );
}

export async function forgetFailedSignIns(tx: Transaction, subject: string): Promise<void> {
  await tx.run("DELETE FROM failed_sign_ins WHERE subject = $1", subject);
}
