// Stores batches of calls with totals over their calls, and the progress of batches being accepted. Dispatch changes a
// batch only together with one of its calls.

import type { Schemas } from "@msgctl/contract";
import type { HeldKey } from "../../store/idempotency.ts";
import { drawId, lowestId, newIdSql } from "../../store/statement.ts";
import type { Transaction } from "../../store/store.ts";
import { removeBatchLabel } from "../tenancy/project-rows.ts";

/** Labels and settings shared by all calls of a batch. */
export interface BatchTerms {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly platformAccountId: string | null;
  readonly tenantLabel: string;
  readonly sourceSystem: string | null;
  readonly useCase: string;
  readonly campaignId: string | null;
  readonly campaignName: string | null;
  readonly messageType: Schemas["MessageType"];
  readonly messageText: string;
  readonly language: string;
  readonly voiceProfile: string;
  readonly priority: Schemas["TtsPriority"];
  readonly callbackUrl: string | null;
  readonly isRecorded: 0 | 1;
  /** Longest time to ring, in seconds. */
  readonly ringSeconds: number;
  /** IANA time zone of the recipients, from the request. */
  readonly customerTimezone: string | null;
}

/** Totals over the calls of a batch: see `BatchTotals` in rules.ts. */
interface TotalsColumns {
  readonly success: number;
  readonly failed: number;
  readonly partial: number;
  readonly pending: number;
  readonly scheduled: number;
  readonly begun: number;
  readonly finalized: number;
  readonly hits: number;
  readonly misses: number;
  readonly speechMicros: number;
  readonly callMicros: number;
  readonly finalizedMicros: number;
}

export interface BatchRow extends BatchTerms, TotalsColumns {
  readonly batchId: number;
  readonly executionType: Schemas["ExecutionType"];
  readonly scheduledAt: number | null;
  readonly policyReason: string | null;
  /** Characters per call. The estimates are per call, too. */
  readonly characters: number;
  readonly estimatedSpeechMicros: number;
  readonly estimatedCallMicros: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly completedAt: number | null;
  readonly totalCalls: number;
  /** Calls that no rule refused when the batch was accepted. */
  readonly admittedCalls: number;
  /** 0 while the batch is hidden: it is being accepted, or was abandoned and is being removed. */
  readonly isAccepted: 0 | 1;
}

const columns: readonly (readonly [column: string, member: keyof BatchRow])[] = [
  ["tenant_id", "tenantId"],
  ["merchant_id", "merchantId"],
  ["platform_account_id", "platformAccountId"],
  ["tenant_label", "tenantLabel"],
  ["source_system", "sourceSystem"],
  ["use_case", "useCase"],
  ["campaign_id", "campaignId"],
  ["campaign_name", "campaignName"],
  ["message_type", "messageType"],
  ["message_text", "messageText"],
  ["language", "language"],
  ["voice_profile", "voiceProfile"],
  ["priority", "priority"],
  ["callback_url", "callbackUrl"],
  ["is_recorded", "isRecorded"],
  ["ring_seconds", "ringSeconds"],
  ["customer_timezone", "customerTimezone"],
  ["execution_type", "executionType"],
  ["scheduled_at", "scheduledAt"],
  ["policy_reason", "policyReason"],
  ["characters", "characters"],
  ["estimated_speech_micros", "estimatedSpeechMicros"],
  ["estimated_call_micros", "estimatedCallMicros"],
  ["created_at", "createdAt"],
  ["updated_at", "updatedAt"],
  ["completed_at", "completedAt"],
  ["total_calls", "totalCalls"],
  ["admitted_calls", "admittedCalls"],
  ["is_accepted", "isAccepted"],
  ["success", "success"],
  ["failed", "failed"],
  ["partial", "partial"],
  ["pending", "pending"],
  ["scheduled", "scheduled"],
  ["begun", "begun"],
  ["finalized", "finalized"],
  ["hits", "hits"],
  ["misses", "misses"],
  ["speech_micros", "speechMicros"],
  ["call_micros", "callMicros"],
  ["finalized_micros", "finalizedMicros"],
];

const insertStatement = `
  INSERT INTO tts_batches (${columns.map(([column]) => column).join(", ")}, use_case_key, batch_id)
  VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")}, $${columns.length + 1},
          ${newIdSql("tts_batches", "batch_id", `$${columns.length + 2}`)})
  RETURNING batch_id AS "batchId"`;

const selectStatement = `
  SELECT batch_id AS "batchId", ${columns.map(([column, member]) => `${column} AS "${member}"`).join(", ")}
    FROM tts_batches`;

/** Normalizes a use case: comparison ignores case. */
export function useCaseKey(useCase: string): string {
  return useCase.toUpperCase();
}

/** Adds the batch and returns its id. */
export async function insertBatch(tx: Transaction, batch: Omit<BatchRow, "batchId">): Promise<number> {
  const values = columns.map(([, member]) => (batch as BatchRow)[member]);
  const own = [useCaseKey(batch.useCase), drawId(tx.randomness, batch.createdAt)];
  const row = await tx.get<{ batchId: number }>(insertStatement, ...values, ...own);
  if (row === undefined) throw new Error("a batch was added without an id");
  return row.batchId;
}

/** Finds an accepted batch of any tenant. */
export function findBatch(tx: Transaction, batchId: number): Promise<BatchRow | undefined> {
  return tx.get<BatchRow>(`${selectStatement} WHERE batch_id = $1 AND is_accepted = 1`, batchId);
}

/** Finds a batch that is being accepted or was abandoned. Locks it for update. */
export function findHiddenBatch(tx: Transaction, batchId: number): Promise<BatchRow | undefined> {
  return tx.get<BatchRow>(`${selectStatement} WHERE batch_id = $1 AND is_accepted = 0 FOR UPDATE`, batchId);
}

/** Adds the totals of a slice's calls to a batch being accepted; a `sign` of -1 subtracts them. */
export async function extendBatch(
  tx: Transaction,
  batchId: number,
  slice: TotalsColumns & { totalCalls: number; admittedCalls: number },
  sign: 1 | -1 = 1,
): Promise<void> {
  await tx.run(
    `UPDATE tts_batches
        SET total_calls = total_calls + $2, admitted_calls = admitted_calls + $3, failed = failed + $4,
            pending = pending + $5, scheduled = scheduled + $6, finalized = finalized + $7,
            speech_micros = speech_micros + $8, call_micros = call_micros + $9
      WHERE batch_id = $1 AND is_accepted = 0`,
    batchId,
    sign * slice.totalCalls,
    sign * slice.admittedCalls,
    sign * slice.failed,
    sign * slice.pending,
    sign * slice.scheduled,
    sign * slice.finalized,
    sign * slice.speechMicros,
    sign * slice.callMicros,
  );
}

/** Makes a batch visible, after its last slice was added. */
export async function revealBatch(
  tx: Transaction,
  batchId: number,
  known: Pick<BatchRow, "executionType" | "scheduledAt" | "policyReason">,
): Promise<void> {
  await tx.run(
    `UPDATE tts_batches SET is_accepted = 1, execution_type = $2, scheduled_at = $3, policy_reason = $4
      WHERE batch_id = $1 AND is_accepted = 0`,
    batchId,
    known.executionType,
    known.scheduledAt,
    known.policyReason,
  );
}

/** Removes an abandoned batch that has no calls left. */
export async function removeBatch(tx: Transaction, batchId: number): Promise<void> {
  await removeBatchLabel(tx, batchId);
  await tx.run("DELETE FROM tts_batches WHERE batch_id = $1 AND is_accepted = 0", batchId);
}

/** Adds a call's change to the batch's totals. Returns how many calls of the batch have not ended. */
export async function addToBatch(
  tx: Transaction,
  batchId: number,
  change: TotalsColumns & { now: number },
): Promise<{ open: number }> {
  const row = await tx.get<{ open: number }>(
    `UPDATE tts_batches
        SET success = success + $2, failed = failed + $3, partial = partial + $4, pending = pending + $5,
            scheduled = scheduled + $6, begun = begun + $7, finalized = finalized + $8, hits = hits + $9,
            misses = misses + $10, speech_micros = speech_micros + $11, call_micros = call_micros + $12,
            finalized_micros = finalized_micros + $13, updated_at = $14,
            completed_at = CASE WHEN pending + $5 + scheduled + $6 = 0 THEN COALESCE(completed_at, $14) END
      WHERE batch_id = $1 RETURNING pending + scheduled AS open`,
    batchId,
    change.success,
    change.failed,
    change.partial,
    change.pending,
    change.scheduled,
    change.begun,
    change.finalized,
    change.hits,
    change.misses,
    change.speechMicros,
    change.callMicros,
    change.finalizedMicros,
    change.now,
  );
  if (row === undefined) throw new Error(`there is no batch ${batchId}`);
  return row;
}

/** Costs of batches of calls, in micro-USD. A cost is projected until it is final. */
interface BatchCosts {
  readonly calls: number;
  readonly micros: number;
  /** The part of `micros` that is final. */
  readonly finalizedMicros: number;
  /** Number of batches in these sums. */
  readonly batches: number;
}

/** Sums the costs of a tenant's or merchant's newest batches, up to `most`, accepted at `from` or later. */
export async function sumBatchCosts(
  tx: Transaction,
  { tenantId, merchantId, from, most }: { tenantId: number; merchantId: string | null; from: number; most: number },
): Promise<BatchCosts> {
  const row = await tx.get<BatchCosts>(
    `SELECT COUNT(*) AS batches, CAST(COALESCE(SUM(total_calls), 0) AS BIGINT) AS calls,
            CAST(COALESCE(SUM(speech_micros + call_micros), 0) AS BIGINT) AS micros,
            CAST(COALESCE(SUM(finalized_micros), 0) AS BIGINT) AS "finalizedMicros"
       FROM (SELECT total_calls, speech_micros, call_micros, finalized_micros FROM tts_batches
              WHERE tenant_id = $1 AND batch_id >= $2 AND is_accepted = 1
                ${merchantId === null ? "" : "AND merchant_id = $4"}
              ORDER BY batch_id DESC LIMIT $3) AS newest`,
    ...[tenantId, lowestId(from), most, ...(merchantId === null ? [] : [merchantId])],
  );
  return row ?? { batches: 0, calls: 0, micros: 0, finalizedMicros: 0 };
}

/** A batch that is being accepted in slices. Its row is removed when the acceptance ends, finished or abandoned. */
interface CallAcceptance {
  readonly batchId: number;
  /** The job that removes the batch if it is never finished. */
  readonly jobId: number;
}

/** The units that the batch's calls have reserved so far. */
interface Reservation {
  /** The month in which all calls of the batch reserve units. */
  readonly period: string;
  readonly units: number;
  /** How many of these units the credits paid for. */
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

/** Adds the units that the calls of a slice have reserved. */
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

/** Returns whether the batch is still being accepted. Locks the acceptance for update. */
export async function isBeingAccepted(tx: Transaction, batchId: number): Promise<boolean> {
  const sql = `SELECT batch_id AS "batchId" FROM call_acceptances WHERE batch_id = $1 FOR UPDATE`;
  return (await tx.get(sql, batchId)) !== undefined;
}

/** Ends the acceptance, finished or abandoned, and returns its reservation. Undefined if it had already ended. */
export function endAcceptance(tx: Transaction, batchId: number): Promise<Reservation | undefined> {
  return tx.get<Reservation>(
    `DELETE FROM call_acceptances WHERE batch_id = $1 RETURNING period, units, credit_units AS "creditUnits"`,
    batchId,
  );
}

/** Lists all acceptances in progress, of any process. */
export function listAcceptances(tx: Transaction): Promise<CallAcceptance[]> {
  return tx.all<CallAcceptance>(`SELECT batch_id AS "batchId", job_id AS "jobId" FROM call_acceptances`);
}
