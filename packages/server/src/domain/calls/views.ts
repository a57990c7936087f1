// Reads calls and batches that a caller may see, and maps them to the shapes of the contract.

import type { Schemas } from "@msgctl/contract";
import type { Transaction } from "../../store/store.ts";
import { microsToAmount } from "../billing/rules.ts";
import { viewTime } from "../calendar.ts";
import type { OperationResult } from "../handler.ts";
import { Refusal } from "../refusal.ts";
import type { MessageScope } from "../tenancy/access.ts";
import { type BatchRow, findBatch } from "./batch-rows.ts";
import { type CallRow, findCall } from "./rows.ts";
import { batchStatus, cacheHitRatio } from "./rules.ts";

export type SubmissionView = OperationResult<"createTtsCalls">;
export type CallView = OperationResult<"getTtsCall">;

/** Reads a call. Throws `call_not_found` if it does not exist or belongs to another tenant or merchant. */
export async function readCall(tx: Transaction, scope: MessageScope, requestId: number): Promise<CallRow> {
  const call = await findCall(tx, requestId);
  if (call !== undefined && isVisible(scope, call)) return call;
  throw new Refusal("call_not_found", `There is no call ${requestId}. List yours to see their ids.`);
}

/** Reads a batch. Throws `batch_not_found` if it does not exist or belongs to another tenant or merchant. */
export async function readBatch(tx: Transaction, scope: MessageScope, batchId: number): Promise<BatchRow> {
  const batch = await findBatch(tx, batchId);
  if (batch !== undefined && isVisible(scope, batch)) return batch;
  throw new Refusal("batch_not_found", `There is no batch ${batchId}. List your calls to see their batches.`);
}

function isVisible({ tenantId, merchantId }: MessageScope, owned: CallRow | BatchRow): boolean {
  return owned.tenantId === tenantId && (merchantId ?? owned.merchantId) === owned.merchantId;
}

/** `only` is the call of a batch with a single call. */
export function viewSubmission(batch: BatchRow, only: CallRow | undefined): SubmissionView {
  const { admittedCalls } = batch;
  const speechMicros = admittedCalls * batch.estimatedSpeechMicros;
  const callMicros = admittedCalls * batch.estimatedCallMicros;
  return {
    batchId: String(batch.batchId),
    requestId: only === undefined ? null : String(only.requestId),
    status: batchStatus(batch),
    executionType: batch.executionType,
    scheduledAt: viewTime(batch.scheduledAt),
    policyReason: batch.policyReason,
    ...labelsOf(batch),
    toNumber: only?.toNumber ?? null,
    language: batch.language,
    voiceProfile: batch.voiceProfile,
    totalCalls: batch.totalCalls,
    successCount: batch.success,
    failedCount: batch.failed,
    partialCount: batch.partial,
    pendingCount: batch.pending,
    scheduledCount: batch.scheduled,
    estimatedTtsCharacters: admittedCalls * batch.characters,
    estimatedTtsCost: microsToAmount(speechMicros),
    estimatedCallCost: microsToAmount(callMicros),
    totalEstimatedCost: microsToAmount(speechMicros + callMicros),
  };
}

export function viewBatch(batch: BatchRow): OperationResult<"getTtsBatchSummary"> {
  const totalMicros = batch.speechMicros + batch.callMicros;
  return {
    batchId: String(batch.batchId),
    status: batchStatus(batch),
    ...labelsOf(batch),
    createdAt: new Date(batch.createdAt).toISOString(),
    updatedAt: new Date(batch.updatedAt).toISOString(),
    completedAt: viewTime(batch.completedAt),
    totalCalls: batch.totalCalls,
    success: batch.success,
    failed: batch.failed,
    partial: batch.partial,
    pending: batch.pending,
    scheduled: batch.scheduled,
    finalizedCount: batch.finalized,
    provisionalCount: batch.totalCalls - batch.finalized,
    ttsCacheHits: batch.hits,
    ttsCacheMisses: batch.misses,
    ttsCacheHitRatio: cacheHitRatio(batch),
    provisionalCost: microsToAmount(totalMicros - batch.finalizedMicros),
    finalizedCost: microsToAmount(batch.finalizedMicros),
    totalTtsCost: microsToAmount(batch.speechMicros),
    totalCallCost: microsToAmount(batch.callMicros),
    totalCost: microsToAmount(totalMicros),
  };
}

export function viewCall(call: CallRow): CallView {
  const costs = costsOf(call);
  return {
    requestId: String(call.requestId),
    batchId: String(call.batchId),
    status: call.status,
    callStatus: call.callStatus,
    playbackStatus: call.playbackStatus,
    finalStatus: call.finalStatus,
    ...labelsOf(call),
    toNumber: call.toNumber,
    language: call.language,
    voiceProfile: call.voiceProfile,
    provider: call.speechProvider,
    model: call.speechModel,
    ttsCacheStatus: call.cacheStatus,
    billingState: call.billingState,
    providerCallId: call.providerCallId,
    executionType: executionTypeOf(call),
    executionTimezone: call.executionTimezone,
    scheduledAt: viewTime(call.scheduledAt),
    executedAt: viewTime(call.executedAt),
    policyReason: call.policyReason,
    requestedPriority: call.priority,
    createdAt: new Date(call.createdAt).toISOString(),
    updatedAt: new Date(call.updatedAt).toISOString(),
    completedAt: viewTime(call.completedAt),
    error: call.error,
    deliveryReason: call.deliveryReason,
    ttsAssetId: speechOf(call),
    // a call is dialled at most once, so its id also identifies the telephone session
    callSessionId: call.providerCallId === null ? null : call.requestId,
    callDurationSeconds: call.durationSeconds,
    attemptCount: call.attempts,
    estimatedTtsCharacters: call.characters,
    actualTtsCharacters: call.speechCharacters,
    estimatedTtsCost: microsToAmount(call.estimatedSpeechMicros),
    estimatedCallCost: microsToAmount(call.estimatedCallMicros),
    actualTtsCost: costs.speech,
    actualCallCost: costs.call,
    projectedTotalCost: costs.projected,
    usage: usageOf(call),
  };
}

export function viewBatchNumber(call: CallRow): OperationResult<"listTtsBatchNumbers">[number] {
  const costs = costsOf(call);
  return {
    requestId: String(call.requestId),
    toNumber: call.toNumber,
    callStatus: call.callStatus,
    playbackStatus: call.playbackStatus,
    finalStatus: call.finalStatus,
    executionType: executionTypeOf(call),
    executionTimezone: call.executionTimezone,
    scheduledAt: viewTime(call.scheduledAt),
    executedAt: viewTime(call.executedAt),
    ttsCacheStatus: call.cacheStatus,
    billingState: call.billingState,
    deliveryReason: call.deliveryReason,
    requestedPriority: call.priority,
    completedAt: viewTime(call.completedAt),
    durationSeconds: call.durationSeconds,
    ttsCharacters: call.speechCharacters,
    ttsAssetId: speechOf(call),
    ttsCost: costs.speech,
    callCost: costs.call,
    totalCost: costs.total,
    projectedTotalCost: costs.projected,
  };
}

/** A line for the speech once it is ready, and one for the minutes once a dialled call has ended. */
function usageOf(call: CallRow): CallView["usage"] {
  const lines: CallView["usage"][number][] = [];
  if (call.speechProvider !== null && call.spokenAt !== null) {
    lines.push({
      usageType: "TTS",
      unit: "CHARACTER",
      provider: call.speechProvider,
      providerModel: call.speechModel,
      eventTime: new Date(call.spokenAt).toISOString(),
      quantity: call.speechCharacters ?? 0,
      ...amounts(call.speechBaseMicros, call.speechMarkupMicros),
    });
  }
  if (call.carrier !== null && call.completedAt !== null) {
    lines.push({
      usageType: "CALL",
      unit: "MINUTE",
      provider: call.carrier,
      providerModel: null,
      eventTime: new Date(call.completedAt).toISOString(),
      quantity: call.callMinutes ?? 0,
      ...amounts(call.callBaseMicros, call.callMarkupMicros),
    });
  }
  return lines;
}

function amounts(baseMicros: number | null, markupMicros: number | null) {
  const [base, markup] = [baseMicros ?? 0, markupMicros ?? 0];
  return {
    baseCost: microsToAmount(base),
    markupCost: microsToAmount(markup),
    finalCost: microsToAmount(base + markup),
  };
}

/** Costs in dollars; null if unknown. `projected` uses the estimate for an unknown cost. */
function costsOf(call: CallRow) {
  const [speech, minutes] = [speechMicros(call), callMicros(call)];
  return {
    speech: speech === null ? null : microsToAmount(speech),
    call: minutes === null ? null : microsToAmount(minutes),
    total: speech === null || minutes === null ? null : microsToAmount(speech + minutes),
    projected: microsToAmount((speech ?? call.estimatedSpeechMicros) + (minutes ?? call.estimatedCallMicros)),
  };
}

/** Cost of the call's speech in micro-USD; null until it is known. */
export function speechMicros({ speechBaseMicros, speechMarkupMicros }: CallRow): number | null {
  return speechBaseMicros === null ? null : speechBaseMicros + (speechMarkupMicros ?? 0);
}

/** Cost of the call's minutes in micro-USD; null until it is known. */
export function callMicros({ callBaseMicros, callMarkupMicros }: CallRow): number | null {
  return callBaseMicros === null ? null : callBaseMicros + (callMarkupMicros ?? 0);
}

/** The id of the speech; null until the cache lookup is a hit or a miss. */
function speechOf({ cacheStatus, assetId }: CallRow): number | null {
  return cacheStatus === "PENDING" ? null : assetId;
}

function executionTypeOf({ scheduledAt }: CallRow): Schemas["ExecutionType"] {
  return scheduledAt === null ? "IMMEDIATE" : "SCHEDULED";
}

function labelsOf(labelled: BatchRow | CallRow) {
  return {
    merchantId: labelled.merchantId,
    platformAccountId: labelled.platformAccountId,
    tenantId: labelled.tenantLabel,
    sourceSystem: labelled.sourceSystem,
    useCase: labelled.useCase,
    campaignId: labelled.campaignId,
    campaignName: labelled.campaignName,
  };
}
