// Accepting calls: which numbers consent and quota allow, and when; then batch, calls and reservation in the caller's
// one transaction. The jobs it schedules do the rest. A large batch takes several transactions: see call-slices.ts.

import {
  addTotals,
  type BatchStatus,
  type BatchTotals,
  batchStatus,
  type CountedCall,
  noTotals,
  totalsOf,
} from "../rules/call-batches.ts";
import { estimatedMinutes, type RefusalReason } from "../rules/calls.ts";
import { decideConsent, type MessageType } from "../rules/consent.ts";
import { channelCost, speechCost } from "../rules/prices.ts";
import { type CallingTime, findCallingTime, keepsQuietHours } from "../rules/quiet-hours.ts";
import { type Quota, reserveUnits } from "../rules/quota.ts";
import { countCharacters } from "../rules/unicode.ts";
import { type BatchRow, type BatchTerms, insertBatch } from "../store/call-batches.ts";
import { insertCalls, type NewCall } from "../store/calls.ts";
import type { ConsentStatus } from "../store/consents.ts";
import { FIRST_IN_LINE, scheduleJob } from "../store/jobs.ts";
import { findSendingMerchant, type SendingMerchantRow } from "../store/merchants.ts";
import { labelBatch } from "../store/project-labels.ts";
import { reserveUsage } from "../store/usage.ts";
import { beginCallsJob } from "./call-jobs.ts";
import { currentPeriod, merchantInactive, merchantNotFound } from "./merchant-checks.ts";
import type { OperationContext } from "./operation.ts";
import { readConsents, resolveConsent } from "./recorded-consents.ts";
import { findStoppedNumbers } from "./text-blocks.ts";

/** Seconds to let a number ring; only a voice send can choose another. */
export const DEFAULT_RING_SECONDS = 30;

/** The calls requested; the tenant is the caller's. */
export interface CallRequest {
  readonly terms: Omit<BatchTerms, "tenantId">;
  /** E.164, each once. */
  readonly numbers: readonly string[];
}

/** The decision on each number, before anything is written. */
export interface CallPlan {
  readonly request: CallRequest;
  readonly merchant: SendingMerchantRow;
  /** Of those who have decided, by number. */
  readonly consents: ReadonlyMap<string, ConsentStatus>;
  readonly period: string;
  readonly characters: number;
  /** Minutes that each call reserves. */
  readonly units: number;
  readonly calls: readonly NewCall[];
}

/** Decides on each number. Throws `merchant_not_found` and `merchant_inactive`. */
export async function planCalls(context: OperationContext, request: CallRequest): Promise<CallPlan> {
  const { tx, caller, settings } = context;
  const { merchantId, messageType, messageText } = request.terms;
  const period = currentPeriod(context);
  const key = { tenantId: caller.tenantId, merchantId, channel: "VOICE" as const };
  const [first = ""] = request.numbers;
  const merchant = await findSendingMerchant(tx, { ...key, period, contact: first });
  if (merchant === undefined) throw merchantNotFound(merchantId);
  if (merchant.active === 0) throw await merchantInactive(context, merchantId, "calls nobody");
  const digesting = { tx, digestRecipient: settings.digestRecipient };
  const known = await resolveConsent(digesting, { ...key, contact: first }, merchant.consent);
  const consents =
    request.numbers.length > 1
      ? await readConsents(digesting, key, request.numbers)
      : new Map(known === undefined ? [] : [[first, known]]);
  const blocking = { ...digesting, stopCovers: settings.stopCovers };
  for (const number of await findStoppedNumbers(blocking, key, request.numbers)) consents.set(number, "OPT_OUT");
  const characters = countCharacters(messageText);
  const units = estimatedMinutes(characters);
  const decide = createDecision({
    quota: { ...merchant },
    units,
    consentRefusal: (number) => refusalByConsent(settings.consentPolicy, messageType, consents.get(number)),
    startTime: createStartTime(context, request),
  });
  return { request, merchant, consents, period, characters, units, calls: request.numbers.map(decide) };
}

/** Writes the plan. `messageId` is the carrier's leg of a single call, which then holds the reserved units. */
export async function acceptCalls(
  context: OperationContext,
  plan: CallPlan,
  messageId: string | null = null,
): Promise<{ batchId: number; executedAt: number }> {
  const batchId = await addBatch(context, plan, { messageId, isAccepted: 1 });
  return { batchId, executedAt: await scheduleCalls(context, batchId, listStartTimes(plan.calls)) };
}

/** Writes batch, calls and reservation, without beginning the calls. */
export async function addBatch(
  context: OperationContext,
  plan: CallPlan,
  { messageId, isAccepted }: { messageId: string | null; isAccepted: 0 | 1 },
): Promise<number> {
  const { tx, caller, now, project } = context;
  const { tenantId } = caller;
  const { request, period, characters, calls } = plan;
  const { admittedCalls, totals, estimates } = await reserveCalls(context, plan);
  const batchId = await insertBatch(tx, {
    ...request.terms,
    ...totals,
    ...estimates,
    ...describeCalls(calls, batchStatus(totals)),
    tenantId,
    characters,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
    totalCalls: calls.length,
    admittedCalls,
    isAccepted,
  });
  if (typeof project === "string") await labelBatch(tx, batchId, { tenantId, project, now });
  const kept = messageId === null ? calls : calls.map((call) => ({ ...call, reservedUnits: 0, creditUnits: 0 }));
  await insertCalls(tx, { batchId, period, messageId, now }, kept);
  return batchId;
}

/** Reserves the quota that the plan's calls take, and sums up what they add to their batch. */
export async function reserveCalls(
  { tx, caller, settings }: OperationContext,
  { request, period, characters, calls, units }: CallPlan,
): Promise<{ admittedCalls: number; totals: BatchTotals; estimates: CallEstimates }> {
  const key = { tenantId: caller.tenantId, merchantId: request.terms.merchantId, channel: "VOICE", period } as const;
  await reserveUsage(tx, key, unitsHeldBy(calls));
  const estimates = {
    estimatedSpeechMicros: speechCost(settings.prices, characters).finalMicros,
    estimatedCallMicros: channelCost(settings.prices, "VOICE", units).finalMicros,
  };
  return { admittedCalls: calls.filter(isAdmitted).length, totals: totalsOfNew(calls, estimates), estimates };
}

/** The quota units that the calls hold, and how many of them the credits paid. */
export function unitsHeldBy(calls: readonly NewCall[]): { units: number; creditUnits: number } {
  return {
    units: calls.reduce((sum, call) => sum + call.reservedUnits, 0),
    creditUnits: calls.reduce((sum, call) => sum + call.creditUnits, 0),
  };
}

/** Whether no rule refuses the call. */
export function isAdmitted({ status }: Pick<NewCall, "status">): boolean {
  return status !== "REJECTED";
}

/** What a batch states about all its calls when they are accepted. */
export function describeCalls(
  calls: readonly NewCall[],
  status: BatchStatus,
): Pick<BatchRow, "executionType" | "scheduledAt" | "policyReason"> {
  return {
    executionType: status === "SCHEDULED" ? "SCHEDULED" : "IMMEDIATE",
    scheduledAt: listStartTimes(calls).find((time) => time !== null) ?? null,
    policyReason: calls.find(({ policyReason }) => policyReason !== null)?.policyReason ?? null,
  };
}

/** Schedules a batch's calls at their start times. Returns the last of these. */
export async function scheduleCalls(
  { tx, caller, now }: OperationContext,
  batchId: number,
  times: readonly (number | null)[],
): Promise<number> {
  for (const scheduledAt of times) {
    const begin = beginCallsJob({ batchId, scheduledAt, after: 0 }, scheduledAt ?? FIRST_IN_LINE);
    await scheduleJob(tx, { tenantId: caller.tenantId, ...begin });
  }
  return Math.max(now, ...times.map((time) => time ?? now));
}

/** The distinct start times of the admitted calls, earliest first; null is at once. */
export function listStartTimes(calls: readonly NewCall[]): (number | null)[] {
  const times = new Set(calls.filter(isAdmitted).map(({ scheduledAt }) => scheduledAt));
  return [...times].sort((one, other) => (one ?? 0) - (other ?? 0));
}

/** What each call of a batch is expected to cost, in micro-USD. */
export type CallEstimates = Pick<BatchRow, "estimatedSpeechMicros" | "estimatedCallMicros">;

/** What new calls add to their batch's totals before any of them has begun. */
export function totalsOfNew(calls: readonly Pick<NewCall, "status">[], estimates: CallEstimates): BatchTotals {
  return calls.map((call) => totalsOf(countNew(call, estimates))).reduce((sum, call) => addTotals(sum, call), noTotals);
}

function countNew(call: Pick<NewCall, "status">, estimates: CallEstimates): CountedCall {
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

/** Checks consent first, then quota: if it does not cover all numbers, the first ones are called. */
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

/** The function returns undefined if no quiet hours apply. */
function createStartTime(
  { now }: OperationContext,
  { terms }: CallRequest,
): (number: string) => CallingTime | undefined {
  if (!keepsQuietHours(terms.messageType)) return () => undefined;
  const asked = new Map<string, CallingTime>();
  return (number) => findCallingTime({ number, timezone: terms.customerTimezone, now }, asked);
}
