// Accepts calls: decides which numbers may be called, by consent and quota, and when; then writes the batch, its calls
// and the reservation in one transaction, or a large batch in several. Jobs scheduled here begin the calls later.

import { reached, sometimes } from "../../platform/probes.ts";
import { cancelJob, FIRST_IN_QUEUE, lockJob, rescheduleJob, scheduleJob } from "../../store/jobs.ts";
import { StoreUnavailable, type Transaction } from "../../store/store.ts";
import { reserveUsage } from "../billing/rows.ts";
import { channelCost, type Quota, reserveUnits, speechCost } from "../billing/rules.ts";
import { releaseUnits } from "../billing/settlement.ts";
import type { ConsentStatus } from "../consent/rows.ts";
import { decideConsent, type MessageType } from "../consent/rules.ts";
import type { OperationContext } from "../context.ts";
import type { Slicing, WriteResult } from "../handler.ts";
import { findSendingMerchant, type SendingMerchantRow } from "../merchants/rows.ts";
import { readConsents, resolveConsent } from "../messages/consents.ts";
import { findStoppedNumbers } from "../messages/text-blocks.ts";
import type { Refusal } from "../refusal.ts";
import { currentPeriod, merchantInactive, merchantNotFound } from "../tenancy/access.ts";
import { labelBatch } from "../tenancy/project-rows.ts";
import { countCharacters } from "../unicode.ts";
import {
  type BatchRow,
  type BatchTerms,
  endAcceptance,
  extendAcceptance,
  extendBatch,
  findHiddenBatch,
  insertAcceptance,
  insertBatch,
  isBeingAccepted,
  revealBatch,
} from "./batch-rows.ts";
import { beginCallsJob, removeCallsJob } from "./progress.ts";
import { type CallingTime, findCallingTime, keepsQuietHours } from "./quiet-hours.ts";
import { insertCalls, type NewCall } from "./rows.ts";
import {
  addTotals,
  type BatchStatus,
  type BatchTotals,
  batchStatus,
  type CountedCall,
  estimatedMinutes,
  noTotals,
  type RefusalReason,
  totalsOf,
} from "./rules.ts";

/** Default ring time in seconds; only a voice send can set another. */
export const DEFAULT_RING_SECONDS = 30;

/** The requested calls. The tenant is the caller's. */
export interface CallRequest {
  readonly terms: Omit<BatchTerms, "tenantId">;
  /** E.164, without duplicates. */
  readonly numbers: readonly string[];
}

/** The decision on each number, made before anything is written. */
export interface CallPlan {
  readonly request: CallRequest;
  readonly merchant: SendingMerchantRow;
  /** The recipients' consent, by number. */
  readonly consents: ReadonlyMap<string, ConsentStatus>;
  readonly period: string;
  readonly characters: number;
  /** Minutes that each call reserves. */
  readonly units: number;
  readonly calls: readonly NewCall[];
}

/** Decides for each number whether it may be called, and when. Throws `merchant_not_found` and `merchant_inactive`. */
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

/** Writes the plan. For a single call, `messageId` is the message that places it and holds the reserved units. */
export async function acceptCalls(
  context: OperationContext,
  plan: CallPlan,
  messageId: string | null = null,
): Promise<{ batchId: number; executedAt: number }> {
  const batchId = await addBatch(context, plan, { messageId, isAccepted: 1 });
  return { batchId, executedAt: await scheduleCalls(context, batchId, listStartTimes(plan.calls)) };
}

/** Writes the batch, its calls and the reservation, without beginning the calls. */
async function addBatch(
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

/** Reserves quota for the plan's calls, and computes what they add to the batch's totals. */
async function reserveCalls(
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

/** The quota units that the calls reserve, and how many of them the credits pay for. */
function unitsHeldBy(calls: readonly NewCall[]): { units: number; creditUnits: number } {
  return {
    units: calls.reduce((sum, call) => sum + call.reservedUnits, 0),
    creditUnits: calls.reduce((sum, call) => sum + call.creditUnits, 0),
  };
}

/** Returns whether the call was not refused by a rule. */
export function isAdmitted({ status }: Pick<NewCall, "status">): boolean {
  return status !== "REJECTED";
}

/** The fields of a batch that depend on how all its calls were accepted. */
function describeCalls(
  calls: readonly NewCall[],
  status: BatchStatus,
): Pick<BatchRow, "executionType" | "scheduledAt" | "policyReason"> {
  return {
    executionType: status === "SCHEDULED" ? "SCHEDULED" : "IMMEDIATE",
    scheduledAt: listStartTimes(calls).find((time) => time !== null) ?? null,
    policyReason: calls.find(({ policyReason }) => policyReason !== null)?.policyReason ?? null,
  };
}

/** Schedules a batch's calls at their start times. Returns the latest start time. */
async function scheduleCalls(
  { tx, caller, now }: OperationContext,
  batchId: number,
  times: readonly (number | null)[],
): Promise<number> {
  for (const scheduledAt of times) {
    const begin = beginCallsJob({ batchId, scheduledAt, after: 0 }, scheduledAt ?? FIRST_IN_QUEUE);
    await scheduleJob(tx, { tenantId: caller.tenantId, ...begin });
  }
  return Math.max(now, ...times.map((time) => time ?? now));
}

/** The distinct start times of the admitted calls, earliest first; null means immediately. */
function listStartTimes(calls: readonly NewCall[]): (number | null)[] {
  const times = new Set(calls.filter(isAdmitted).map(({ scheduledAt }) => scheduledAt));
  return [...times].sort((one, other) => (one ?? 0) - (other ?? 0));
}

/** Expected costs of each call of a batch, in micro-USD. */
type CallEstimates = Pick<BatchRow, "estimatedSpeechMicros" | "estimatedCallMicros">;

/** The totals that new calls add to their batch, before any of the calls has begun. */
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

/** The reason why missing or withdrawn consent refuses a call of this type; undefined if the call is allowed. */
export function refusalByConsent(
  policy: OperationContext["settings"]["consentPolicy"],
  type: MessageType,
  status: ConsentStatus | undefined,
): RefusalReason | undefined {
  const decision = decideConsent({ policy, channel: "VOICE", type, status });
  if (decision === "allowed") return undefined;
  return decision === "consent_opted_out" ? "CONSENT_OPTED_OUT" : "CONSENT_REQUIRED";
}

/** Checks consent before quota. If the quota does not cover all numbers, the first ones are called. */
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

/** Returns a function that finds a number's start time, or undefined if no quiet hours apply. */
function createStartTime(
  { now }: OperationContext,
  { terms }: CallRequest,
): (number: string) => CallingTime | undefined {
  if (!keepsQuietHours(terms.messageType)) return () => undefined;
  const asked = new Map<string, CallingTime>();
  return (number) => findCallingTime({ number, timezone: terms.customerTimezone, now }, asked);
}

/** Numbers per slice: one transaction decides on a slice and adds its calls. */
const NUMBERS_A_SLICE = 200;

export function numbersASlice(): number {
  return sometimes("a slice is of two numbers") ? 2 : NUMBERS_A_SLICE;
}

/** If no slice is accepted for this long, the batch is abandoned, even if a process still works on it. */
const PATIENCE_MS = 60_000;

interface SlicedBatch<Result> {
  /** E.164 without duplicates, in the order of the request. */
  readonly numbers: readonly string[];
  readonly toRequest: (context: OperationContext, numbers: readonly string[]) => CallRequest;
  /** Creates the refusal of a batch in which no number may be called. */
  readonly refuseAll: (calls: readonly NewCall[]) => Refusal;
  /** Reads the accepted batch, in the transaction that makes it visible. */
  readonly view: (context: OperationContext, batchId: number) => Promise<Result>;
}

/** The progress of accepting a batch in slices. */
interface Progress {
  readonly batchId: number;
  readonly jobId: number;
  /** All slices use this time, so that they agree on the month and the hour. */
  readonly startedAt: number;
  readonly calls: readonly NewCall[];
}

/**
 * Accepts a batch too large for one transaction. Each transaction decides on one slice of the numbers and reserves its
 * units. The batch stays hidden until the last transaction. A job scheduled with the first slice removes the batch if it
 * is never finished. Locks are taken in the order job, acceptance, batch.
 */
export async function acceptInSlices<Result>(
  slicing: Slicing,
  batch: SlicedBatch<Result>,
): Promise<WriteResult<Result>> {
  const { run } = slicing;
  const [first = [], ...others] = toSlices(batch.numbers, numbersASlice());
  await requireOneAdmitted(slicing, batch);
  let progress = await run((context) => begin(slicing, context, batch.toRequest(context, first)));
  try {
    for (const numbers of others) {
      const soFar = progress;
      progress = await run((context) => extend(context, soFar, batch.toRequest(context, numbers)));
    }
    return await run((context) => finish(slicing, context, progress, batch));
  } catch (error) {
    await abandon(slicing, progress);
    throw error;
  }
}

/** Abandons the batch, and frees its Idempotency-Key and its quota. Returns false if its acceptance had already ended. */
export async function giveUp(tx: Transaction, batchId: number): Promise<boolean> {
  const held = await endAcceptance(tx, batchId);
  if (held === undefined) return false;
  const batch = await findHiddenBatch(tx, batchId);
  if (batch === undefined) throw new Error(`there is no hidden batch ${batchId} to abandon`);
  await releaseUnits(tx, { tenantId: batch.tenantId, merchantId: batch.merchantId, channel: "VOICE", ...held });
  return true;
}

/** Splits `items`, in order, into slices of up to `size`. */
export function toSlices<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, slice) => items.slice(slice * size, (slice + 1) * size));
}

/** Throws if every number is refused, before anything is written. Plans slices until one has an allowed number. */
async function requireOneAdmitted<Result>({ run }: Slicing, batch: SlicedBatch<Result>): Promise<void> {
  let refused: NewCall[] = [];
  for (const numbers of toSlices(batch.numbers, numbersASlice())) {
    const { calls } = await run((context) => planCalls(context, batch.toRequest(context, numbers)));
    if (calls.some(isAdmitted)) return;
    refused = refused.concat(calls);
  }
  throw batch.refuseAll(refused);
}

async function begin(slicing: Slicing, context: OperationContext, request: CallRequest): Promise<Progress> {
  const { tx, now } = context;
  const plan = await planCalls(context, request);
  const key = await slicing.claimKey(context);
  const batchId = await addBatch(context, plan, { messageId: null, isAccepted: 0 });
  const jobId = await scheduleJob(tx, {
    tenantId: context.caller.tenantId,
    ...removeCallsJob(batchId, now + PATIENCE_MS),
  });
  const { calls, period } = plan;
  await insertAcceptance(tx, { batchId, jobId, period, ...unitsHeldBy(calls) }, key);
  return { batchId, jobId, startedAt: now, calls };
}

async function extend(current: OperationContext, progress: Progress, request: CallRequest): Promise<Progress> {
  const { tx } = current;
  const { batchId, jobId, startedAt: now } = progress;
  const context = { ...current, now };
  await requireBeingAccepted(context, progress);
  const plan = await planCalls(context, request);
  const { calls, period } = plan;
  const { totals, admittedCalls } = await reserveCalls(context, plan);
  await extendAcceptance(tx, batchId, unitsHeldBy(calls));
  await extendBatch(tx, batchId, { ...totals, admittedCalls, totalCalls: calls.length });
  await insertCalls(tx, { batchId, period, messageId: null, now }, calls);
  await rescheduleJob(tx, jobId, current.now + PATIENCE_MS);
  return { ...progress, calls: progress.calls.concat(calls) };
}

async function finish<Result>(
  { keepKey }: Slicing,
  context: OperationContext,
  progress: Progress,
  { refuseAll, view }: SlicedBatch<Result>,
): Promise<WriteResult<Result>> {
  const { tx } = context;
  const { batchId, jobId, calls } = progress;
  await requireBeingAccepted(context, progress);
  const batch = await findHiddenBatch(tx, batchId);
  if (batch === undefined) throw new Error(`there is no hidden batch ${batchId} to reveal`);
  // other sends have used up the quota since `requireOneAdmitted`
  if (batch.admittedCalls === 0) throw refuseAll(calls);
  await endAcceptance(tx, batchId);
  await cancelJob(tx, jobId);
  await revealBatch(tx, batchId, describeCalls(calls, batchStatus(batch)));
  const executedAt = await scheduleCalls(context, batchId, listStartTimes(calls));
  const reference = { batchId };
  await keepKey(context, { reference, executedAt });
  return { result: await view(context, batchId), reference, executedAt };
}

async function requireBeingAccepted({ tx }: OperationContext, { batchId, jobId }: Progress): Promise<void> {
  lockJob(tx, jobId);
  if (await isBeingAccepted(tx, batchId)) return;
  throw new StoreUnavailable(`the batch was abandoned: no slice of it was accepted for ${PATIENCE_MS / 1_000} s`);
}

/** Abandons the batch, and makes the job that removes it due now. If this write fails, the job runs at its original time. */
async function abandon({ run, notifyAbandoned }: Slicing, { batchId, jobId }: Progress): Promise<void> {
  reached("the acceptance of a batch failed midway");
  const end = async ({ tx, now }: OperationContext) => {
    lockJob(tx, jobId);
    if (await giveUp(tx, batchId)) await rescheduleJob(tx, jobId, now);
  };
  await run(end).then(notifyAbandoned, notifyAbandoned);
}
