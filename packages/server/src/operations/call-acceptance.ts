// Accepting calls: whom consent and quota let be called, and when; then batch, calls and reservation in the caller's
// one transaction. All else follows from the jobs that it schedules.

import { addTotals, batchStatus, noTotals, totalsOf } from "../rules/call-batches.ts";
import { estimatedMinutes, type RefusalReason } from "../rules/calls.ts";
import { decideConsent, type MessageType } from "../rules/consent.ts";
import { channelCost, speechCost } from "../rules/prices.ts";
import { type CallingTime, findCallingTime, keepsQuietHours } from "../rules/quiet-hours.ts";
import { type Quota, reserveUnits } from "../rules/quota.ts";
import { countCharacters } from "../rules/speech.ts";
import { type BatchTerms, insertBatch } from "../store/call-batches.ts";
import { insertCalls, type NewCall } from "../store/calls.ts";
import { type ConsentStatus, findConsentStatuses } from "../store/consents.ts";
import { scheduleJob } from "../store/jobs.ts";
import { findSendingMerchant, type SendingMerchantRow } from "../store/merchants.ts";
import { reserveUsage } from "../store/usage.ts";
import { beginCallsJob } from "./call-jobs.ts";
import { currentPeriod, merchantNotFound } from "./merchants.ts";
import type { OperationContext } from "./operation.ts";
import { Refusal } from "./refusal.ts";

/** What is asked for; the tenant is the caller's. */
export interface CallRequest {
  readonly terms: Omit<BatchTerms, "tenantId">;
  /** E.164, each once. */
  readonly numbers: readonly string[];
}

/** What the rules say of each number, before anything is written. */
export interface CallPlan {
  readonly request: CallRequest;
  readonly merchant: SendingMerchantRow;
  readonly period: string;
  readonly characters: number;
  /** Minutes that each call reserves. */
  readonly units: number;
  readonly calls: readonly NewCall[];
}

/** Decides about each number. Throws `merchant_not_found` and `merchant_inactive`. */
export async function planCalls(context: OperationContext, request: CallRequest): Promise<CallPlan> {
  const { tx, caller, settings } = context;
  const { merchantId, messageType, messageText } = request.terms;
  const period = currentPeriod(context);
  const key = { tenantId: caller.tenantId, merchantId, channel: "VOICE" as const };
  const [first = ""] = request.numbers;
  const merchant = await findSendingMerchant(tx, { ...key, period, recipient: first });
  if (merchant === undefined) throw merchantNotFound(merchantId);
  if (merchant.active === 0) {
    throw new Refusal("merchant_inactive", `Merchant ${merchantId} is not active, and calls nobody until it is.`);
  }
  const consents =
    request.numbers.length === 1
      ? new Map([[first, merchant.consent ?? undefined]])
      : await findConsentStatuses(tx, key, request.numbers);
  const characters = countCharacters(messageText);
  const units = estimatedMinutes(characters);
  const decide = createDecision({
    quota: { ...merchant },
    units,
    consentRefusal: (number) => refusalByConsent(settings.consentPolicy, messageType, consents.get(number)),
    startTime: createStartTime(context, request),
  });
  return { request, merchant, period, characters, units, calls: request.numbers.map(decide) };
}

/** Writes what was planned. `messageId` is the carrier's leg of an only call, which then holds the reserved units. */
export async function acceptCalls(
  context: OperationContext,
  plan: CallPlan,
  messageId: string | null = null,
): Promise<{ batchId: number; executedAt: number }> {
  const { tx, caller, now, settings } = context;
  const { request, period, characters, calls, units } = plan;
  const { tenantId } = caller;
  const { merchantId } = request.terms;
  const admitted = calls.filter(({ status }) => status !== "REJECTED");
  const creditUnits = admitted.reduce((sum, call) => sum + call.creditUnits, 0);
  await reserveUsage(
    tx,
    { tenantId, merchantId, channel: "VOICE", period },
    { units: units * admitted.length, creditUnits },
  );

  const times = startTimesOf(admitted);
  const estimatedSpeechMicros = speechCost(settings.prices, characters).finalMicros;
  const estimatedCallMicros = channelCost(settings.prices, "VOICE", units).finalMicros;
  const totals = calls
    .map((call) => totalsOf(countNew(call, { estimatedSpeechMicros, estimatedCallMicros })))
    .reduce((sum, call) => addTotals(sum, call), noTotals);
  const batchId = await insertBatch(tx, {
    ...request.terms,
    ...totals,
    tenantId,
    executionType: batchStatus(totals) === "SCHEDULED" ? "SCHEDULED" : "IMMEDIATE",
    scheduledAt: times.find((time) => time !== null) ?? null,
    policyReason: calls.find(({ policyReason }) => policyReason !== null)?.policyReason ?? null,
    characters,
    estimatedSpeechMicros,
    estimatedCallMicros,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
    totalCalls: calls.length,
    admittedCalls: admitted.length,
  });
  const kept = messageId === null ? calls : calls.map((call) => ({ ...call, reservedUnits: 0, creditUnits: 0 }));
  await insertCalls(tx, { batchId, period, messageId, now }, kept);
  for (const scheduledAt of times) {
    await scheduleJob(tx, beginCallsJob({ batchId, scheduledAt, after: 0 }, scheduledAt ?? now));
  }
  return { batchId, executedAt: Math.max(now, ...times.map((time) => time ?? now)) };
}

/** When calls begin, each time once and the earliest first; null is at once. */
function startTimesOf(calls: readonly NewCall[]): (number | null)[] {
  const times = new Set(calls.map(({ scheduledAt }) => scheduledAt));
  return [...times].sort((one, other) => (one ?? 0) - (other ?? 0));
}

function countNew(
  call: NewCall,
  estimates: { estimatedSpeechMicros: number; estimatedCallMicros: number },
): Parameters<typeof totalsOf>[0] {
  const open = { cacheStatus: "PENDING", executedAt: null, ...estimates } as const;
  if (call.status === "REJECTED") {
    return { ...open, finalStatus: "FAILED", billingState: "FINALIZED", speechMicros: 0, callMicros: 0 };
  }
  const finalStatus = call.status === "SCHEDULED" ? "SCHEDULED" : "PENDING";
  return { ...open, finalStatus, billingState: "PROVISIONAL", speechMicros: null, callMicros: null };
}

/** Why consent refuses a call of this kind, or undefined. */
export function refusalByConsent(
  policy: OperationContext["settings"]["consentPolicy"],
  type: MessageType,
  status: ConsentStatus | undefined,
): RefusalReason | undefined {
  const decision = decideConsent({ policy, channel: "VOICE", type, status });
  if (decision === "allowed") return undefined;
  return decision === "consent_opted_out" ? "CONSENT_OPTED_OUT" : "CONSENT_REQUIRED";
}

/** Consent first, then quota: of numbers too many for it, the first ones are called. */
function createDecision(rules: {
  quota: Quota;
  units: number;
  consentRefusal: (number: string) => RefusalReason | undefined;
  startTime: (number: string) => CallingTime | undefined;
}): (number: string) => NewCall {
  const { quota, units, consentRefusal, startTime } = rules;
  return (toNumber) => {
    const time = startTime(toNumber);
    const refused = {
      toNumber,
      status: "REJECTED",
      executionTimezone: time?.timezone ?? null,
      scheduledAt: null,
      reservedUnits: 0,
      creditUnits: 0,
    } as const;
    const objection = consentRefusal(toNumber);
    if (objection !== undefined) return { ...refused, policyReason: objection };
    const reservation = reserveUnits(quota, units);
    if (reservation === undefined) return { ...refused, policyReason: "QUOTA_EXCEEDED" };
    quota.reserved += units;
    quota.credits -= reservation.creditUnits;
    const isDelayed = time !== undefined && time.delayedBy !== null;
    return {
      toNumber,
      status: isDelayed ? "SCHEDULED" : "QUEUED",
      policyReason: time?.delayedBy ?? null,
      executionTimezone: time?.timezone ?? null,
      scheduledAt: isDelayed ? time.startAt : null,
      reservedUnits: units,
      creditUnits: reservation.creditUnits,
    };
  };
}

/** Undefined where no quiet hours have to be kept. */
function createStartTime(
  { now }: OperationContext,
  { terms }: CallRequest,
): (number: string) => CallingTime | undefined {
  if (!keepsQuietHours(terms.messageType)) return () => undefined;
  const asked = new Map<string, CallingTime>();
  return (number) => findCallingTime({ number, timezone: terms.customerTimezone, now }, asked);
}
