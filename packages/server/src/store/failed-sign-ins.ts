// Failed sign-ins by subject: a keyed digest of an account or an address. They count from the first one on, for a time.

import type { Transaction } from "./store.ts";

export interface FailedSignIns {
  /** Of the first, in epoch milliseconds. */
  readonly since: number;
  readonly failures: number;
}

/** When the first failure was for others to count with it. */
export interface CountedTime {
  readonly from: number;
  readonly until: number;
}

export function findFailedSignIns(
  tx: Transaction,
  subject: string,
  { from, until }: CountedTime,
): Promise<FailedSignIns | undefined> {
  return tx.get<FailedSignIns>(
    "SELECT since, failures FROM failed_sign_ins WHERE subject = $1 AND since BETWEEN $2 AND $3",
    subject,
    from,
    until,
  );
}

/** Counts one more; from one on again if the first was at another time. Returns the count. */
export async function countFailedSignIn(
  tx: Transaction,
  { subject, from, until, now }: CountedTime & { subject: string; now: number },
): Promise<number> {
  const row = await tx.get<Pick<FailedSignIns, "failures">>(
    `INSERT INTO failed_sign_ins (subject, since, failures) VALUES ($1, $4, 1)
     ON CONFLICT (subject) DO UPDATE SET
       failures = CASE WHEN failed_sign_ins.since BETWEEN $2 AND $3 THEN failed_sign_ins.failures + 1 ELSE 1 END,
       since = CASE WHEN failed_sign_ins.since BETWEEN $2 AND $3 THEN failed_sign_ins.since ELSE excluded.since END
     RETURNING failures`,
    subject,
    from,
    until,
    now,
  );
  return row?.failures ?? 0;
}

export async function forgetFailedSignIns(tx: Transaction, subject: string): Promise<void> {
  await tx.run("DELETE FROM failed_sign_ins WHERE subject = $1", subject);
}
