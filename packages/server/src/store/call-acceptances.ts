// Batches being accepted, a slice of their calls at a time, with the quota that they hold. A batch whose row is gone
// has been given up.

import type { Transaction } from "./store.ts";

/** The Idempotency-Key of a request in progress: other requests that use it are refused. */
export interface HeldKey {
  /** The key with its scope of uniqueness, as one text. */
  readonly scope: string;
  readonly fingerprint: string;
}

export interface CallAcceptance {
  readonly batchId: number;
  /** The step that removes the batch if it is never finished. */
  readonly jobId: number;
}

/** What the batch's calls have reserved so far. */
export interface Reservation {
  /** The month of all its calls. */
  readonly period: string;
  readonly units: number;
  /** How many of them the credits paid. */
  readonly creditUnits: number;
}

export async function insertAcceptance(
  tx: Transaction,
  { batchId, jobId, period, units, creditUnits }: CallAcceptance & Reservation,
  key: HeldKey | undefined,
): Promise<void> {
  await tx.run(
    `INSERT INTO call_acceptances (batch_id, job_id, period, units, credit_units, key_scope, fingerprint)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    batchId,
    jobId,
    period,
    units,
    creditUnits,
    key?.scope ?? null,
    key?.fingerprint ?? null,
  );
}

/** Adds what the calls of a slice have reserved. */
export async function extendAcceptance(
  tx: Transaction,
  batchId: number,
  { units, creditUnits }: Omit<Reservation, "period">,
): Promise<void> {
  await tx.run(
    "UPDATE call_acceptances SET units = units + $2, credit_units = credit_units + $3 WHERE batch_id = $1",
    batchId,
    units,
    creditUnits,
  );
}

/** Whether the batch is still being accepted. Held for update. */
export async function isBeingAccepted(tx: Transaction, batchId: number): Promise<boolean> {
  const sql = `SELECT batch_id AS "batchId" FROM call_acceptances WHERE batch_id = $1 FOR UPDATE`;
  return (await tx.get(sql, batchId)) !== undefined;
}

/** The request in progress that holds the key of this scope. */
export function findHeldKey(tx: Transaction, scope: string): Promise<HeldKey | undefined> {
  return tx.get<HeldKey>(
    "SELECT key_scope AS scope, fingerprint FROM call_acceptances WHERE key_scope = $1 AND key_scope IS NOT NULL",
    scope,
  );
}

/** Ends the acceptance, finished or not, and returns what it held. Undefined if it was over before. */
export function endAcceptance(tx: Transaction, batchId: number): Promise<Reservation | undefined> {
  return tx.get<Reservation>(
    `DELETE FROM call_acceptances WHERE batch_id = $1 RETURNING period, units, credit_units AS "creditUnits"`,
    batchId,
  );
}

/** All acceptances in progress, in any process. */
export function listAcceptances(tx: Transaction): Promise<CallAcceptance[]> {
  return tx.all<CallAcceptance>(`SELECT batch_id AS "batchId", job_id AS "jobId" FROM call_acceptances`);
}
