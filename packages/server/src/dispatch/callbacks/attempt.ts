// One attempt at one callback, and the record of its outcome.

import type { Clock } from "../../platform/clock.ts";
import { reached } from "../../platform/probes.ts";
import { decideCallback } from "../../rules/callback-retries.ts";
import { restMs } from "../../rules/receiver-rests.ts";
import { signWebhook } from "../../rules/webhook-signature.ts";
import {
  endHold,
  holdLines,
  type LineKey,
  listLeasedCalls,
  listWaitingLines,
  refreshCall,
  refreshLine,
  releaseCall,
  restLine,
  wakeLine,
} from "../../store/callback-lines.ts";
import { noteLostAttempt, recordCallbackAttempt } from "../../store/callbacks.ts";
import { markGone } from "../../store/gone-urls.ts";
import { scheduleJob } from "../../store/jobs.ts";
import type { AttemptResult } from "../../store/occurrences.ts";
import type { Transaction } from "../../store/store.ts";
import type { CallbackTask } from "./claim.ts";
import { goneUrlJob } from "./gone.ts";
import type { Poster, PostResult } from "./post.ts";

/** Posts the callback, signed now with each of the task's secrets. Never rejects. */
export function postCallback(poster: Poster, { callback, secrets }: CallbackTask, clock: Clock): Promise<PostResult> {
  const { webhookId, url, body } = callback;
  const headers = {
    "content-type": "application/json",
    "user-agent": "msgd",
    ...signWebhook({ webhookId, body, now: clock.now() }, secrets),
  };
  return poster.post({ url, headers, body });
}

/** Our timeout, the system's connect timeout, and the DNS timeout. A refusal is immediate and costs nothing. */
const SILENCES: ReadonlySet<string> = new Set(["timeout", "ETIMEDOUT", "ETIMEOUT"]);

export interface RecordContext {
  readonly now: number;
  readonly random: () => number;
  /** How many more attempts may be in flight at the receiver. */
  readonly freeAtReceiver: number;
}

/** What a record leaves to be done once it is committed. */
export interface Recorded {
  /** Whether it scheduled a step. */
  readonly hasStep: boolean;
  /** Other tenants' lines for which the receiver has room again. Each is woken in a unit of its own, which holds it. */
  readonly waiting: readonly LineKey[];
}

/**
 * Records the attempt, when the next one is due, and whether the receiver rests. The callback stays unchanged if
 * another process took it over.
 */
export async function recordCallback(
  tx: Transaction,
  task: CallbackTask,
  result: PostResult,
  { now, random, freeAtReceiver }: RecordContext,
): Promise<Recorded> {
  const { call, callback, token } = task;
  tx.note({ kind: "callback-attempt", result: classify(result) });
  holdLines(tx, call.tenantId);
  const isOurs = await releaseCall(tx, call, token);
  if (!isOurs) reached("an attempt's outcome came when the callback was another's");
  const isUnwanted = isOurs && result.status === 410;
  if (isUnwanted) await closeUrl(tx, { tenantId: call.tenantId, url: callback.url }, now);
  if (isOurs) {
    await recordOutcome(tx, task, result, { now, random });
    await refreshCall(tx, call);
  }
  await settleLine(tx, task, result, { now, random });
  await refreshLine(tx, call, now);
  return { hasStep: isUnwanted, waiting: await listWaitingLines(tx, call.receiver, freeAtReceiver) };
}

/** Stops posting to the URL for existing calls; a step gives up the waiting callbacks. */
async function closeUrl(tx: Transaction, gone: { tenantId: number; url: string }, now: number): Promise<void> {
  reached("a receiver wants nothing more");
  await markGone(tx, gone, now);
  await scheduleJob(tx, goneUrlJob(gone, now));
}

const statuses = { delivered: "DELIVERED", gone: "FAILED", failed: "FAILED", retry: "PENDING" } as const;

async function recordOutcome(
  tx: Transaction,
  { callback }: CallbackTask,
  result: PostResult,
  context: { now: number; random: () => number },
): Promise<void> {
  const { callbackId, patienceFrom } = callback;
  const { now } = context;
  const lastOutcome = result.outcome;
  // aborted by this server: the attempt does not count
  if (isInterrupted(result)) {
    reached("an attempt was interrupted");
    return noteLostAttempt(tx, { callbackId, lastOutcome, now });
  }
  const attempts = callback.attempts + 1;
  const decision = decideCallback(result, { attempt: attempts, patienceFrom }, context);
  const status = statuses[decision.kind];
  const next = decision.kind === "retry" ? decision : { patienceFrom, nextAttemptAt: null };
  await recordCallbackAttempt(tx, { callbackId, now, attempts, lastOutcome, status, ...next });
}

/** Rests a receiver that timed out: it held a slot the whole time. Its waiting callbacks keep their attempts. */
async function settleLine(
  tx: Transaction,
  { call, rests }: CallbackTask,
  result: PostResult,
  { now, random }: { now: number; random: () => number },
): Promise<void> {
  if (SILENCES.has(result.outcome)) {
    reached("a receiver rests");
    await restLine(tx, { ...call, rests }, now + restMs(rests + 1, random));
  } else await endHold(tx, call, { isAnswered: !isInterrupted(result) });
}

/**
 * Releases up to `limit` attempts whose process is known to be dead. They do not count, as their outcome is unknown.
 * Returns how many there were.
 */
export async function expireLeases(tx: Transaction, now: number, limit: number): Promise<number> {
  const calls = await listLeasedCalls(tx, limit);
  for (const call of calls) {
    reached("an attempt of a dead process is made again");
    holdLines(tx, call.tenantId);
    await refreshCall(tx, call);
    await endHold(tx, call, { isAnswered: false });
    await refreshLine(tx, call, now);
    for (const line of await listWaitingLines(tx, call.receiver, 1)) await wakeLine(tx, line, now);
  }
  return calls.length;
}

const classes: Readonly<Record<number, AttemptResult>> = { 2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx" };

/** The class of an outcome: system and TLS codes are many, and a receiver may make up its status. */
function classify({ status, outcome }: PostResult): AttemptResult {
  if (status !== undefined) return classes[Math.floor(status / 100)] ?? "other";
  if (SILENCES.has(outcome)) return "timeout";
  if (outcome === "interrupted") return outcome;
  return outcome === "not allowed" || outcome === "PRIVATE_ADDRESS" ? "not_allowed" : "unreachable";
}

function isInterrupted({ outcome }: PostResult): boolean {
  return outcome === "interrupted";
}
