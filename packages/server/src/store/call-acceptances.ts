// Batches that are being accepted, a slice of their calls at a time. Whoever finds that the row is gone has been given up.

import type { Transaction } from "./store.ts";

/** The Idempotency-Key of a request under way: who else uses it is told so. */
export interface HeldKey {
  /** The key with all that it is unique in, as one text. */
  readonly scope: string;
  readonly fingerprint: string;
}

export interface CallAcceptance {
  readonly batchId: number;
  /** The step that removes the batch where nobody finishes it. */
  readonly jobId: number;
}

export async function insertAcceptance(
  tx: Transaction,
  { batchId, jobId }: CallAcceptance,
  key: HeldKey | undefined,
): Promise<void> {
  await tx.run(
    "INSERT INTO call_acceptances (batch_id, job_id, key_scope, fingerprint) VALUES ($1, $2, $3, $4)",
    batchId,
    jobId,
    key?.scope ?? null,
    key?.fingerprint ?? null,
  );
}

/** Whether the batch is still being accepted. Held for update. */
export async function isBeingAccepted(tx: Transaction, batchId: number): Promise<boolean> {
  const sql = `SELECT batch_id AS "batchId" FROM call_acceptances WHERE batch_id = $1 FOR UPDATE`;
  return (await tx.get(sql, batchId)) !== undefined;
}

/** The request under way that holds the key of this scope. */
export function findHeldKey(tx: Transaction, scope: string): Promise<HeldKey | undefined> {
  return tx.get<HeldKey>(
    "SELECT key_scope AS scope, fingerprint FROM call_acceptances WHERE key_scope = $1 AND key_scope IS NOT NULL",
    scope,
  );
}

/** Ends the acceptance, well or badly. False where it was over before. */
export async function endAcceptance(tx: Transaction, batchId: number): Promise<boolean> {
  return (await tx.run("DELETE FROM call_acceptances WHERE batch_id = $1", batchId)) > 0;
}

/** Ends every acceptance, and has what it had added removed from `now` on: for a process that knows no other accepts. */
export async function abandonAcceptances(tx: Transaction, now: number): Promise<void> {
  await tx.run("UPDATE jobs SET due_at = $1 WHERE job_id IN (SELECT job_id FROM call_acceptances)", now);
  await tx.run("DELETE FROM call_acceptances");
}
