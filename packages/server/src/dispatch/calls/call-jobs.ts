// Jobs of a call up to its dialling: begin the call at its time, get its speech, and queue it for the carrier.

import type { Carriers } from "../../carriers/carriers.ts";
import { withIntro } from "../../carriers/marketing-calls.ts";
import type { SpeechEngine } from "../../carriers/speech/engine.ts";
import { findQuota } from "../../domain/billing/rows.ts";
import { coversReserved, speechCost } from "../../domain/billing/rules.ts";
import { type HeldUnits, release } from "../../domain/billing/settlement.ts";
import { refusalByConsent } from "../../domain/calls/accept.ts";
import { type BatchRow, findBatch } from "../../domain/calls/batch-rows.ts";
import {
  BEGIN_CALLS,
  type BeginCalls,
  beginCallsJob,
  type CallChanges,
  type CallMoment,
  changeCall,
  collectChanges,
  concludeChanges,
  SPEECH_SETTLED,
  type SpeechSettled,
  speechSettledJob,
  waitingCallsJob,
} from "../../domain/calls/progress.ts";
import { findLateCallingTime } from "../../domain/calls/quiet-hours.ts";
import {
  type CallRow,
  listStartingCalls,
  listTenantsOfWaitingCalls,
  listWaitingCalls,
  WAITING_CALLS,
  wakeCallsOf,
} from "../../domain/calls/rows.ts";
import type { RefusalReason } from "../../domain/calls/rules.ts";
import { speechKey } from "../../domain/calls/speech.ts";
import { findSpeech, requestSpeech, type SpeechRow } from "../../domain/calls/speech-rows.ts";
import type { RecipientDigest } from "../../domain/contacts.ts";
import { findMerchant, type MerchantRow } from "../../domain/merchants/rows.ts";
import { readConsent } from "../../domain/messages/consents.ts";
import { findMessageProgress, type MessageProgress, saveOutcome } from "../../domain/messages/progress-rows.ts";
import { insertMessage, releaseMessage } from "../../domain/messages/rows.ts";
import {
  callMessageId,
  type DeliveryReason,
  expiryOf,
  OTP_VALIDITY_MS,
  PATIENCE_MS,
} from "../../domain/messages/rules.ts";
import { findStoppedNumbers } from "../../domain/messages/text-blocks.ts";
import type { ConsentPolicy, PriceList, StopCoverage } from "../../domain/policies.ts";
import { move } from "../../domain/transitions.ts";
import { countCharacters } from "../../domain/unicode.ts";
import { scheduleJob } from "../../store/jobs.ts";
import { addDoubts, type Horizon, listHorizons } from "../../store/queue/message-rows.ts";
import { queueOrders } from "../../store/queue/queue.ts";
import { inBackground, type Store } from "../../store/store.ts";
import type { JobContext, JobHandler } from "../jobs/runner.ts";
import { noteSpeech } from "../provider-health.ts";
import { CANCELED_CALL, type Moment, overFor } from "./call-legs.ts";
import type { SpeechEngines } from "./synthesizer.ts";

export interface CallJobOptions {
  readonly carriers: Pick<Carriers, "of" | "discards" | "noteMissing">;
  readonly engines: SpeechEngines;
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  readonly digestRecipient: RecipientDigest;
  readonly prices: PriceList;
  /** Time after acceptance within which a one-time password may be spoken, in milliseconds. @default 600000 */
  readonly otpValidityMs?: number | undefined;
}

/** Context shared by the calls of one job. */
interface CallJobContext extends JobContext, CallJobOptions {
  readonly changes: CallChanges;
  /** Calls up to these ids may have been submitted to the tenant's carrier before the database was restored. */
  readonly horizons: readonly Horizon[];
  /** Cache of the times at which calls may ring, by time zone. */
  readonly callingTimes: Map<string, number>;
}

/** Limits how long one job blocks the store. */
const CALLS_A_JOB = 16;

/** Handlers of the jobs that advance calls. */
export function callJobs(options: CallJobOptions): Record<string, JobHandler> {
  const inJob =
    <Subject>(run: (context: CallJobContext, subject: Subject) => Promise<void>): JobHandler =>
    async (context, subject) => {
      const horizons = await findHorizons(context, options);
      const whole = { horizons, changes: collectChanges(), callingTimes: new Map(), ...context, ...options };
      await run(whole, JSON.parse(subject));
      await concludeChanges(whole);
      return "calls";
    };
  return {
    [BEGIN_CALLS]: inJob(beginCalls),
    [WAITING_CALLS]: inJob(beginCalls),
    [SPEECH_SETTLED]: inJob(moveWaitingOn),
  };
}

async function findHorizons({ tx, tenantId }: JobContext, { carriers }: CallJobOptions): Promise<Horizon[]> {
  const own = await carriers.of(tx, tenantId, "VOICE");
  return (await listHorizons(tx)).filter(({ carrier }) => carrier === null || carrier === own?.name);
}

/** Begins some of a batch's calls. Schedules another job for the remaining calls. */
async function beginCalls(context: CallJobContext, begin: BeginCalls): Promise<void> {
  const { tx, tenantId, now } = context;
  const calls = await listStartingCalls(tx, { ...begin, limit: CALLS_A_JOB });
  const batch = await findBatch(tx, begin.batchId);
  if (batch === undefined) throw new Error(`there is no batch ${begin.batchId}`);
  const requested = new Map<string, SpeechRow>();
  const merchant = await findMerchant(tx, batch.tenantId, batch.merchantId);
  const lastInDoubt = Math.max(0, ...context.horizons.map(({ lastRequestId }) => lastRequestId));
  const later = new Set<number>();
  const engine = await context.engines.of(tx, batch.tenantId);
  const text = await findSpokenText(context, batch, merchant);
  let { waitUntil = Number.POSITIVE_INFINITY } = begin;
  for (const call of calls) {
    const startAt = findStartTime(context, call);
    if (startAt > now) {
      if (call.status === "SCHEDULED") await changeCall(context, call, { scheduledAt: startAt });
      later.add(startAt);
      continue;
    }
    // a call that may have been dialled before a restore is looked up at the carrier first, despite any objections
    const isFresh = call.status === "SCHEDULED" && call.requestId > lastInDoubt;
    const objection = isFresh ? await findObjection(context, call, merchant) : undefined;
    if (objection !== undefined) await endUndialled(context, call, objection);
    else if (isDiscarded(context, call, lastInDoubt))
      await endUndialled(context, call, { status: "FAILED", policyReason: call.policyReason, ...discarded });
    else if (engine === undefined) waitUntil = Math.min(waitUntil, await waitForEngine(context, call));
    else await beginCall(context, call, { engine, text, requested, lastInDoubt });
  }
  for (const startAt of later) {
    const scheduledAt = begin.scheduledAt === null ? null : startAt;
    await scheduleJob(tx, { tenantId, ...beginCallsJob({ batchId: begin.batchId, scheduledAt, after: 0 }, startAt) });
  }
  const last = calls.at(-1);
  if (last !== undefined && calls.length === CALLS_A_JOB) {
    const next = { ...begin, after: last.requestId };
    const waits = Number.isFinite(waitUntil) ? { waitUntil } : {};
    await scheduleJob(tx, { tenantId, ...beginCallsJob({ ...next, ...waits }, now) });
  } else if (Number.isFinite(waitUntil)) {
    await scheduleJob(tx, { tenantId, ...waitingCallsJob(begin.batchId, waitUntil) });
  }
}

/** Returns what the calls of a batch say: the text, for MARKETING after the intro of the tenant's carrier of calls. */
async function findSpokenText(
  { tx, carriers }: CallJobContext,
  { tenantId, messageType, messageText }: BatchRow,
  merchant: MerchantRow | undefined,
): Promise<string> {
  if (messageType !== "MARKETING" || merchant === undefined) return messageText;
  const { marketing } = (await carriers.of(tx, tenantId, "VOICE")) ?? {};
  return marketing === undefined ? messageText : withIntro(messageText, marketing, merchant.displayName);
}

/** Makes a call wait for a speech engine. Returns the time at which the call expires, or infinity if it has just ended. */
async function waitForEngine(context: CallJobContext, call: CallRow): Promise<number> {
  const { tx, now, carriers, otpValidityMs = OTP_VALIDITY_MS } = context;
  const { tenantId, scheduledAt, messageType: type, policyReason } = call;
  const createdAt = Math.max(call.createdAt, scheduledAt ?? 0);
  const expiresAt = expiryOf({ createdAt, type, purpose: "SEND" }, otpValidityMs);
  if (now >= expiresAt) {
    await endUndialled(context, call, { status: "FAILED", policyReason, ...expired });
    return Number.POSITIVE_INFINITY;
  }
  if ((await carriers.of(tx, tenantId, "VOICE")) === undefined) carriers.noteMissing(tenantId, "VOICE");
  if (call.status === "SCHEDULED") await changeCall(context, call, { status: "QUEUED", finalStatus: "PENDING" });
  return expiresAt;
}

/** Returns whether the operator discarded the call. A call that may have been dialled is looked up at the carrier first. */
function isDiscarded({ carriers }: CallJobContext, call: CallRow, lastInDoubt: number): boolean {
  const { requestId, tenantId, createdAt } = call;
  return requestId > lastInDoubt && carriers.discards({ tenantId, channel: "VOICE", createdAt });
}

const discarded = {
  reason: "CARRIER_UNKNOWN",
  error: "The operator discarded the calls that waited for a carrier.",
} as const;
const expired = { reason: "TTL_EXPIRED", error: "No carrier could place the call in time." } as const;

/** Returns now or, if it is too late for calls to ring tonight, the next morning. */
function findStartTime({ now, callingTimes }: CallJobContext, call: CallRow): number {
  const { toNumber: number, executionTimezone, customerTimezone } = call;
  return findLateCallingTime({ number, executionTimezone, customerTimezone, now }, callingTimes);
}

interface NewSpeech {
  readonly engine: SpeechEngine;
  readonly text: string;
  /** Speeches requested in this job, by voice. */
  readonly requested: Map<string, SpeechRow>;
  readonly lastInDoubt: number;
}

async function beginCall(
  context: CallJobContext,
  call: CallRow,
  { engine, text, requested, lastInDoubt }: NewSpeech,
): Promise<void> {
  const { tx, now } = context;
  const voice = engine.voiceFor({ voiceProfile: call.voiceProfile, to: call.toNumber });
  let speech = requested.get(voice);
  if (speech === undefined) {
    const wanted = { provider: engine.name, model: engine.model, voice, language: call.language, text };
    speech = await requestSpeech(tx, {
      ...wanted,
      cacheKey: speechKey(wanted),
      messageText: text,
      ownerRequestId: call.requestId,
      tenantId: call.tenantId,
      hasBegun: call.requestId <= lastInDoubt,
      giveUpAt: now + PATIENCE_MS,
      now,
    });
    requested.set(voice, speech);
  }
  if (speech.status === "READY") return dial(context, call, speech);
  const { assetId } = speech;
  await changeCall(context, call, { status: "SYNTHESIZING", finalStatus: "PENDING", assetId, executedAt: now });
}

/**
 * Checks a call again: since its acceptance the merchant may have been deactivated, consent withdrawn, or the quota
 * lowered. There is no policy reason for a deactivated merchant, so its calls become FAILED rather than REJECTED.
 */
async function findObjection(
  context: CallJobContext,
  call: CallRow,
  merchant: MerchantRow | undefined,
): Promise<UndialledEnd | undefined> {
  if (merchant?.active !== 1) {
    const error = "The merchant was not active when the call was due to begin.";
    return { status: "FAILED", policyReason: call.policyReason, reason: null, error };
  }
  const refusal = await findRefusal(context, call);
  return refusal === undefined ? undefined : { status: "REJECTED", policyReason: refusal, ...refusals[refusal] };
}

async function findRefusal(context: CallJobContext, call: CallRow): Promise<RefusalReason | undefined> {
  const { tx, consentPolicy } = context;
  const { toNumber: contact } = call;
  const isStopped = (await findStoppedNumbers(context, call, [contact])).has(contact);
  const status = isStopped ? "OPT_OUT" : await readConsent(context, { ...call, channel: "VOICE", contact });
  const objection = refusalByConsent(consentPolicy, call.messageType, status);
  if (objection !== undefined) return objection;
  const held = await findHeldUnits(context, call);
  return coversReserved(await findQuota(tx, held), held) ? undefined : "QUOTA_EXCEEDED";
}

const refusals: Readonly<Record<RefusalReason, { reason: DeliveryReason | null; error: string }>> = {
  CONSENT_OPTED_OUT: { reason: "OPTED_OUT", error: "The recipient opted out before the call began." },
  CONSENT_REQUIRED: { reason: null, error: "The recipient's consent was missing when the call was due to begin." },
  QUOTA_EXCEEDED: { reason: null, error: "The quota was used up when the call was due to begin." },
};

/**
 * Handles speech that is ready or has failed: dials or fails some of the calls that wait for the speech, and schedules
 * jobs for the remaining calls.
 */
async function moveWaitingOn(context: CallJobContext, { assetId, after }: SpeechSettled): Promise<void> {
  const { tx, tenantId, now } = context;
  const speech = await findSpeech(tx, assetId);
  // another transaction may have requested the speech again
  if (speech === undefined || speech.status === "PENDING") return;
  const calls = await listWaitingCalls(tx, { assetId, after, limit: CALLS_A_JOB });
  const later = new Set<number>();
  for (const call of calls) {
    const startAt = speech.status === "READY" ? findStartTime(context, call) : now;
    if (startAt > now) {
      later.add(startAt);
      continue;
    }
    if (speech.status === "READY") await dial(context, call, speech);
    else await failSpeech(context, call, speech);
    if (isOwner(call, speech)) await noteSynthesis(context, call, speech);
  }
  for (const startAt of later) await scheduleJob(tx, { tenantId, ...speechSettledJob({ assetId, after: 0 }, startAt) });
  const last = calls.at(-1);
  if (last !== undefined && calls.length === CALLS_A_JOB) {
    await scheduleJob(tx, { tenantId, ...speechSettledJob({ assetId, after: last.requestId }, now) });
  }
}

/** Records the engine's answer once per speech, however many calls wait for it. */
function noteSynthesis({ tx, now }: CallJobContext, call: CallRow, { provider, status }: SpeechRow): Promise<void> {
  const { tenantId, merchantId, requestId } = call;
  const served = { tenantId, merchantId, channel: "VOICE" } as const;
  return noteSpeech({ tx, now, provider, served, occurrence: `call:${requestId}` }, status === "FAILED");
}

function isOwner(call: CallRow, speech: SpeechRow): boolean {
  return speech.ownerRequestId === call.requestId;
}

function failSpeech(context: CallJobContext, call: CallRow, { error }: SpeechRow): Promise<void> {
  return endUndialled(context, call, {
    status: "FAILED",
    policyReason: call.policyReason,
    reason: "TTS_FAILED",
    error: `The speech could not be made: ${error ?? "the engine gave no reason"}.`,
  });
}

/** Queues the call for the carrier. The first call that requested the speech pays for it. */
async function dial(context: CallJobContext, call: CallRow, speech: SpeechRow): Promise<void> {
  const { tx, now, prices } = context;
  const isHit = !isOwner(call, speech);
  const speechCharacters = isHit ? 0 : countCharacters(speech.messageText);
  const cost = speechCost(prices, speechCharacters);
  const queueOrder = queueOrders[call.priority];
  const messageId = call.messageId ?? callMessageId(call);
  if (call.messageId !== null) await releaseMessage(tx, messageId, queueOrder);
  else {
    const { tenantId, merchantId, messageType: type, toNumber: recipient, reservedUnits: units } = call;
    const { creditUnits, period } = call;
    await insertMessage(
      tx,
      { merchantId, channel: "VOICE", type, recipient, subject: null, content: speech.messageText, units },
      { messageId, tenantId, purpose: "SEND", creditUnits, period, now, queueOrder },
    );
  }
  const doubted = context.horizons.filter(({ lastRequestId }) => call.requestId <= lastRequestId);
  await addDoubts(tx, messageId, doubted);
  await changeCall(context, call, {
    status: "DIALING",
    finalStatus: "PENDING",
    cacheStatus: isHit ? "HIT" : "MISS",
    assetId: speech.assetId,
    executedAt: call.executedAt ?? now,
    spokenAt: isHit ? now : speech.updatedAt,
    speechCharacters,
    speechBaseMicros: cost.baseMicros,
    speechMarkupMicros: cost.markupMicros,
    messageId,
    reservedUnits: 0,
    creditUnits: 0,
  });
}

/** The end of a call that never reached a carrier. */
interface UndialledEnd {
  readonly status: "REJECTED" | "FAILED" | "CANCELED";
  readonly policyReason: string | null;
  readonly reason: DeliveryReason | null;
  readonly error: string;
}

/** Ends a call that the operator canceled before it reached any carrier. */
export function cancelUndialled(context: Moment, call: CallRow): Promise<void> {
  const { policyReason } = call;
  return endUndialled(context, call, { status: "CANCELED", policyReason, reason: null, error: CANCELED_CALL });
}

/** Ends the call and releases its reserved units. */
async function endUndialled(context: Moment, call: CallRow, end: UndialledEnd): Promise<void> {
  const { tx, now } = context;
  const { status, policyReason, reason: deliveryReason, error } = end;
  const held = await findHeldUnits(context, call);
  const settlement = await release(tx, held);
  if ("messageId" in held) {
    const refused = deliveryReason === "TTL_EXPIRED" ? "EXPIRED" : "FAILED";
    const ended = move("message", held.status, status === "CANCELED" ? status : refused);
    await saveOutcome(tx, held, { status: ended, deliveryReason, ...settlement, now });
  }
  await changeCall(context, call, {
    ...overFor(context, call, 0),
    status,
    callStatus: "CANCELED",
    policyReason,
    deliveryReason,
    error,
    reservedUnits: 0,
    creditUnits: 0,
  });
}

/** Finds the quota units that the call has reserved. If the call has a message, the message holds them. */
async function findHeldUnits({ tx }: Pick<CallMoment, "tx">, call: CallRow): Promise<HeldUnits | MessageProgress> {
  const message = call.messageId === null ? undefined : await findMessageProgress(tx, call.messageId);
  if (message !== undefined) return message;
  const { tenantId, merchantId, period, creditUnits } = call;
  return { tenantId, merchantId, channel: "VOICE", period, units: call.reservedUnits, creditUnits };
}

/** Maximum number of tenants per transaction. */
const TENANTS_A_LOOK = 100;
const BEFORE_ALL = -1;

/**
 * Wakes the waiting calls of tenants that have a speech engine now. After a change of carriers, wakes all waiting
 * calls, so that discarded ones end. Returns whether any call was woken.
 */
export async function wakeWaitingCalls(
  anyStore: Store,
  { engines, isChanged, now }: { engines: Pick<SpeechEngines, "of">; isChanged: boolean; now: number },
): Promise<boolean> {
  const store = inBackground(anyStore);
  let woken = 0;
  for (let after = BEFORE_ALL; ; ) {
    const { tenants, able } = await store.read(async (tx) => {
      const listed = await listTenantsOfWaitingCalls(tx, { after, limit: TENANTS_A_LOOK });
      const found = await Promise.all(listed.map((tenantId) => engines.of(tx, tenantId)));
      return { tenants: listed, able: listed.filter((_id, index) => isChanged || found[index] !== undefined) };
    });
    for (const tenantId of able) woken += await store.write((tx) => wakeCallsOf(tx, tenantId, now));
    const last = tenants.at(-1);
    if (last === undefined) return woken > 0;
    after = last;
  }
}
