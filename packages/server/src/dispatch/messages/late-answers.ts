// Records answers that came after their submissions had been given up: they end the doubt that the time-out left.

import { reached } from "../../platform/probes.ts";
import { recordOptOut } from "../../steps/opt-outs.ts";
import { countAttempts, findMessageProgress, type MessageProgress } from "../../store/message-progress.ts";
import { endDispatch, submitAgain } from "../../store/outbox.ts";
import { noteCarrier } from "../provider-health.ts";
import type { LateAnswer } from "../providers/provider.ts";
import { refuseWhileInDoubt } from "./early-reports.ts";
import { isNew, proveTaken, type Recorded } from "./events.ts";
import { optOutBy, SHORTEST_RETRY_MS } from "./outcomes.ts";
import { type Ledgered, recordParts } from "./parts.ts";
import { markNotTaken } from "./progress.ts";
import { keepWords } from "./words.ts";

/**
 * Records one late answer, once, however often it is reported. A message that was given up stays UNKNOWN, and receipts of its
 * parts settle it. Throws a {@link ReportedTooEarly}.
 */
export async function recordLateAnswer(reported: Ledgered, event: LateAnswer): Promise<Recorded> {
  const { tx, now, provider } = reported;
  const { answer } = event;
  const message = await findMessageProgress(tx, event.clientReference);
  if (message === undefined) return "unheard-of";
  const isAwaited = isInDoubt(message) && (await countAttempts(tx, message.messageId)) === event.attempt;
  // a receipt proved that it was taken, it was given up and charged, or it is to be submitted again
  if (!isAwaited && answer.outcome !== "taken") return "recorded";
  await refuseWhileInDoubt(tx, message);
  if (!(await isNew(reported, event))) return "recorded";
  if (isAwaited) reached("an answer that came late ended a doubt");
  if (answer.outcome === "taken") {
    await proveTaken(reported, message, answer.providerMessageId);
    await recordParts(reported, message, answer.parts ?? []);
    return "recorded";
  }
  const { messageId } = message;
  const hasFailed = answer.outcome !== "refused";
  await noteCarrier({ tx, now, provider, served: message, occurrence: messageId }, hasFailed);
  if (answer.detail !== undefined) await keepWords(reported, message, answer.detail);
  if (answer.outcome === "deferred") {
    const dueAt = now + Math.max(answer.retryAfterMs, SHORTEST_RETRY_MS);
    return (await submitAgain(tx, messageId, { dueAt, now })) ? "queued" : "recorded";
  }
  const reason = answer.outcome === "refused" ? answer.reason : "CARRIER_UNKNOWN";
  await markNotTaken(reported, message, "FAILED", reason);
  await endDispatch(tx, messageId);
  if (answer.outcome === "refused" && answer.isOptOut) {
    await recordOptOut(reported, message, optOutBy(provider, "OPT_OUT"));
  }
  return "recorded";
}

/** Whether it was handed over, and nobody knows what became of it. */
function isInDoubt({ status, openAttempt }: MessageProgress): boolean {
  return status === "SENDING" && openAttempt === null;
}
