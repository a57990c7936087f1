// Records a provider's answer. A process that has lost the lease records nothing; another process looks the message up.

import type { FindOutcome, SubmitOutcome } from "../../carriers/provider.ts";
import { recordOptOut } from "../../domain/messages/consents.ts";
import { awaitReceipts, finishLeased, releaseOutbox } from "../../domain/messages/outbox-rows.ts";
import { nextReviewAt, PATIENCE_MS, receiptDueAt } from "../../domain/messages/rules.ts";
import { reached } from "../../platform/probes.ts";
import { allEnded, groupAlike, inLockOrder } from "../../store/batching.ts";
import type { Work } from "../../store/store.ts";
import type { Moment } from "../calls/call-legs.ts";
import { noteCarrier } from "../provider-health.ts";
import { kindOf, type Task } from "./claim.ts";
import { keepWords, markAllTaken, markNotTaken, markTaken } from "./progress.ts";
import { noteBounce } from "./suppression.ts";

/** Delay of the first look-up after a lost answer, and the longest pause between two look-ups. */
const FIRST_ASK_MS = 250;
const LONGEST_PAUSE_MS = 60 * 60 * 1_000;
/** Smallest delay before a retry, even if the provider asks for less, to avoid a tight loop. */
export const SHORTEST_RETRY_MS = 100;

/** Commits outcomes and events of messages. `together` shares a transaction with other writes of the same moment. */
export type WriteOutcome = <T>(work: Work<T>, priority?: "together") => Promise<T>;

export interface Answered extends Moment {
  readonly task: Task;
  /** The provider's name. */
  readonly provider: string;
  /** Whether the provider can be asked what became of a message that it accepted. @default false */
  readonly isReviewed?: boolean;
}

/** Time at which a message is due again, and the kind of claim that handles it. */
export interface DueAgain {
  readonly kind: Task["kind"];
  /** In epoch milliseconds. */
  readonly dueAt: number;
}

/** Records a submission's outcome. `ambiguous`: no answer arrived. `not-begun`: the provider was removed. */
export async function recordSubmission(
  answered: Answered,
  answer: SubmitOutcome | { readonly outcome: "ambiguous" | "not-begun" },
): Promise<DueAgain | undefined> {
  switch (answer.outcome) {
    case "taken":
      return recordTaken(answered, answer.providerMessageId);
    case "refused":
      if (await endUntaken(answered, answer.reason, { hasFailed: false, detail: answer.detail })) {
        const { message } = answered.task;
        if (answer.isOptOut) await recordOptOut(answered, message, optOutBy(answered.provider, "OPT_OUT"));
        await noteBounce(answered, message, answer);
      }
      return undefined;
    case "failed":
      await endUntaken(answered, "CARRIER_UNKNOWN", { hasFailed: true, detail: answer.detail });
      return undefined;
    case "deferred":
      return recordDeferral(answered, answer);
    case "not-begun":
      return lookAgain(answered, "ready", answered.now + SHORTEST_RETRY_MS);
    case "ambiguous":
      return lookAgain(answered, "reconciling", answered.now + FIRST_ASK_MS);
  }
}

/** A submission that a provider accepted, of any channel except calls. */
export interface TakenSubmission extends Pick<Answered, "task" | "provider" | "isReviewed"> {
  readonly providerMessageId: string;
}

/** Records accepted submissions. Throws if any of their leases was lost; then nothing may be committed. */
export async function recordAllTaken(moment: Moment, taken: readonly TakenSubmission[]): Promise<DueAgain> {
  const { tx, now } = moment;
  const giveUpAt = now + PATIENCE_MS;
  const accepted = taken.map(({ task: { message, token }, isReviewed }) => {
    return { message, token, dueAt: receiptDueAt(now, isReviewed) };
  });
  if (!(await awaitReceipts(tx, accepted, { giveUpAt, now }))) {
    throw new Error("a lease in the batch was lost");
  }
  const messages = taken.map(({ task: { message }, providerMessageId }) => ({ message, providerMessageId }));
  const served = groupAlike(taken, ({ provider, task: { message } }) => [
    message.tenantId,
    message.merchantId,
    message.channel,
    provider,
  ]);
  const marked = markAllTaken(moment, messages);
  const noted = inLockOrder(served, ({ shared }) => shared).map(({ items }) => noteWell(moment, items));
  await allEnded([marked, ...noted]);
  return { kind: kindOf("awaiting"), dueAt: Math.min(...accepted.map(({ dueAt }) => dueAt)) };
}

/** Records answers of one carrier for one merchant's channel. */
async function noteWell(moment: Moment, taken: readonly TakenSubmission[]): Promise<void> {
  const last = taken.at(-1);
  if (last !== undefined) await noteAnswer({ ...moment, ...last }, false, taken.length);
}

/**
 * Records the result of looking up a submission in doubt, or of reviewing one that was accepted. `never`: the provider
 * cannot look up messages. `reviewed`: the provider reported what it knows. If the message is proved absent, it is sent
 * again.
 */
export async function recordFinding(
  answered: Answered,
  answer: FindOutcome | { readonly outcome: "never" } | { readonly outcome: "reviewed" },
): Promise<DueAgain | undefined> {
  const { now, task } = answered;
  if (answer.outcome === "reviewed") {
    const reviews = task.message.asks + 1;
    return lookAgain(answered, "awaiting", Math.min(nextReviewAt(reviews, now), task.giveUpAt), reviews);
  }
  if (answer.outcome === "unknown") {
    const asks = task.message.asks + 1;
    const pauseMs = Math.min(FIRST_ASK_MS * 2 ** asks, LONGEST_PAUSE_MS);
    return lookAgain(answered, "reconciling", Math.min(now + pauseMs, task.giveUpAt), asks);
  }
  // the provider accepted it before the database was restored: whatever the provider answers, it is not sent again
  if (task.message.status === "SENT") {
    reached("a message accepted before a restore was looked up");
    return lookAgain(answered, "awaiting", task.giveUpAt);
  }
  if (answer.outcome === "never") return lookAgain(answered, "reconciling", task.giveUpAt, task.message.asks + 1);
  if (answer.outcome === "absent") {
    reached("a message was proved absent, and is sent again");
    return lookAgain(answered, "ready", now);
  }
  return recordTaken(answered, answer.providerMessageId);
}

/** Returns the source and author of an opt-out, for the consent history. */
export function optOutBy(provider: string, cause: "OPT_OUT" | "COMPLAINT"): { source: string; changedBy: string } {
  return { source: `PROVIDER:${cause}`, changedBy: `provider:${provider}` };
}

async function recordTaken(answered: Answered, providerMessageId: string): Promise<DueAgain | undefined> {
  const { message } = answered.task;
  const dueAgain = await lookAgain(answered, "awaiting", receiptDueAt(answered.now, answered.isReviewed));
  if (dueAgain === undefined) return undefined;
  await allEnded([markTaken(answered, message, providerMessageId), noteAnswer(answered, false)]);
  return dueAgain;
}

async function recordDeferral(
  answered: Answered,
  { retryAfterMs, detail }: { retryAfterMs: number; detail: string },
): Promise<DueAgain | undefined> {
  const { now, task } = answered;
  const retryAt = now + Math.max(retryAfterMs, SHORTEST_RETRY_MS);
  // if the message expires before the retry, it is due at its expiry
  const dueAt = task.kind === "submit" ? Math.min(retryAt, Math.max(task.expiresAt, now)) : retryAt;
  const dueAgain = await lookAgain(answered, "ready", dueAt);
  if (dueAgain === undefined) return undefined;
  await noteAnswer(answered, true);
  await keepWords(answered, answered.task.message, detail);
  return dueAgain;
}

function noteAnswer({ tx, now, provider, task }: Answered, hasFailed: boolean, count = 1): Promise<void> {
  const { message } = task;
  return noteCarrier({ tx, now, provider, served: message, occurrence: message.messageId }, hasFailed, count);
}

/** Ends a message that was not accepted. Returns false if the lease was lost. */
async function endUntaken(
  answered: Answered,
  reason: Parameters<typeof markNotTaken>[3],
  { hasFailed, detail }: { hasFailed: boolean; detail: string | undefined },
): Promise<boolean> {
  const { message, token } = answered.task;
  if (!(await finishLeased(answered.tx, message, token))) {
    reached("a refusal came after another process took the lease");
    return false;
  }
  await allEnded([markNotTaken(answered, message, "FAILED", reason), noteAnswer(answered, hasFailed)]);
  if (detail !== undefined) await keepWords(answered, message, detail);
  return true;
}

/** Releases the message, to be claimed again at `dueAt`. Returns undefined if the lease was lost. */
async function lookAgain(
  { tx, now, task }: Answered,
  state: "ready" | "reconciling" | "awaiting",
  dueAt: number,
  asks = 0,
): Promise<DueAgain | undefined> {
  const { message, token, giveUpAt } = task;
  const isOurs = await releaseOutbox(tx, message, { token, state, dueAt, giveUpAt, asks, now });
  if (isOurs) return { kind: kindOf(state), dueAt };
  reached("an answer came after another process took the lease");
  return undefined;
}
