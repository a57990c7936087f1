// Batches of calls, with sums over their calls. Dispatch changes a batch only together with one of its calls.

import type { Schemas } from "@msgctl/contract";
import type { Transaction } from "./store.ts";

/** Labels and settings that all calls of a batch share. */
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
  /** How long to let it ring. */
  readonly ringSeconds: number;
  /** IANA zone of the recipients, as the caller gave it. */
  readonly customerTimezone: string | null;
}

/** Sums over the calls of a batch, see rules/call-batches. */
export interface TotalsColumns {
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
  /** Of one call, as are the estimates. */
  readonly characters: number;
  readonly estimatedSpeechMicros: number;
  readonly estimatedCallMicros: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly completedAt: number | null;
  readonly totalCalls: number;
  /** Those that no rule refused when the batch was accepted. */
  readonly admittedCalls: number;
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
  INSERT INTO tts_batches (${columns.map(([column]) => column).join(", ")}, use_case_key)
  VALUES (${columns.map((_, index) => `$${index + 1}`).join(", ")}, $${columns.length + 1})
  RETURNING batch_id AS "batchId"`;

const selectStatement = `
  SELECT batch_id AS "batchId", ${columns.map(([column, member]) => `${column} AS "${member}"`).join(", ")}
    FROM tts_batches`;

/** Use cases are compared without regard to case. */
export function useCaseKey(useCase: string): string {
  return useCase.toUpperCase();
}

/** Adds the batch and returns its id. */
export async function insertBatch(tx: Transaction, batch: Omit<BatchRow, "batchId">): Promise<number> {
  const values = columns.map(([, member]) => (batch as BatchRow)[member]);
  const row = await tx.get<{ batchId: number }>(insertStatement, ...values, useCaseKey(batch.useCase));
  if (row === undefined) throw new Error("a batch was added without an id");
  return row.batchId;
}

/** Whoever's it is. */
export function findBatch(tx: Transaction, batchId: number): Promise<BatchRow | undefined> {
  return tx.get<BatchRow>(`${selectStatement} WHERE batch_id = $1`, batchId);
}

/** Adds what a change of one call adds; returns how many of the batch's calls are not over after it. */
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
