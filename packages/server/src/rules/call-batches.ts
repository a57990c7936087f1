// Totals of a batch, kept as sums of what each of its calls adds.

import type { Schemas } from "@msgctl/contract";
import type { BillingState, FinalStatus, SpeechCacheStatus } from "./transitions.ts";

/** What a batch's totals depend on in one call. Costs are micro-USD; an actual one is null before it is known. */
export interface CountedCall {
  readonly finalStatus: FinalStatus;
  readonly billingState: BillingState;
  readonly cacheStatus: SpeechCacheStatus;
  /** When it left the queue, in epoch milliseconds; null before that. */
  readonly executedAt: number | null;
  readonly estimatedSpeechMicros: number;
  readonly estimatedCallMicros: number;
  readonly speechMicros: number | null;
  readonly callMicros: number | null;
}

/** Sums over calls. `begun` counts those that left the queue; costs are projected: actual where known. */
export interface BatchTotals {
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

/** What one call adds to its batch's totals. */
export function totalsOf(call: CountedCall): BatchTotals {
  const speechMicros = call.speechMicros ?? call.estimatedSpeechMicros;
  const callMicros = call.callMicros ?? call.estimatedCallMicros;
  const isFinal = call.billingState === "FINALIZED";
  return {
    success: Number(call.finalStatus === "SUCCESS"),
    failed: Number(call.finalStatus === "FAILED"),
    partial: Number(call.finalStatus === "PARTIAL"),
    pending: Number(call.finalStatus === "PENDING"),
    scheduled: Number(call.finalStatus === "SCHEDULED"),
    begun: Number(call.executedAt !== null),
    finalized: Number(isFinal),
    hits: Number(call.cacheStatus === "HIT"),
    misses: Number(call.cacheStatus === "MISS"),
    speechMicros,
    callMicros,
    finalizedMicros: isFinal ? speechMicros + callMicros : 0,
  };
}

/** Sums by sums: what several calls add, or with `sign` -1 what a change adds. */
export function addTotals(one: BatchTotals, other: BatchTotals, sign: 1 | -1 = 1): BatchTotals {
  return {
    success: one.success + sign * other.success,
    failed: one.failed + sign * other.failed,
    partial: one.partial + sign * other.partial,
    pending: one.pending + sign * other.pending,
    scheduled: one.scheduled + sign * other.scheduled,
    begun: one.begun + sign * other.begun,
    finalized: one.finalized + sign * other.finalized,
    hits: one.hits + sign * other.hits,
    misses: one.misses + sign * other.misses,
    speechMicros: one.speechMicros + sign * other.speechMicros,
    callMicros: one.callMicros + sign * other.callMicros,
    finalizedMicros: one.finalizedMicros + sign * other.finalizedMicros,
  };
}

/** The totals of no call. */
export const noTotals: BatchTotals = {
  success: 0,
  failed: 0,
  partial: 0,
  pending: 0,
  scheduled: 0,
  begun: 0,
  finalized: 0,
  hits: 0,
  misses: 0,
  speechMicros: 0,
  callMicros: 0,
  finalizedMicros: 0,
};

export type BatchStatus = Schemas["TtsBatchStatus"];

type Counters = Pick<BatchTotals, "success" | "failed" | "partial" | "pending" | "scheduled" | "begun">;

/** A batch's state, from its counters. SCHEDULED: all that it still has to call waits for its time. */
export function batchStatus({ success, failed, partial, pending, scheduled, begun }: Counters): BatchStatus {
  if (pending + scheduled === 0) {
    if (failed === 0) return "COMPLETED";
    return success + partial === 0 ? "FAILED" : "COMPLETED_WITH_ERRORS";
  }
  if (begun > 0) return "IN_PROGRESS";
  return pending === 0 ? "SCHEDULED" : "QUEUED";
}

/** Hits by hits and misses together, to six decimals; 0 when there are none. */
export function cacheHitRatio({ hits, misses }: Pick<BatchTotals, "hits" | "misses">): number {
  return hits === 0 ? 0 : Math.round((hits / (hits + misses)) * 1_000_000) / 1_000_000;
}
