// The timeline of a batch of calls, with the calls that remain.

import type { ResponseOf } from "../../api.ts";
import { counted, describeCount } from "../../elements/counted.ts";
import { describeDuration } from "../../elements/pause.ts";
import { Time } from "../../elements/time.tsx";
import { inOrder, type Step } from "../../elements/timeline.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Link } from "../../shell/navigation.tsx";
import { describeAttempts } from "../callbacks/describe-attempts.ts";

export type BatchDetails = ResponseOf<"getBatch">;

export function listSteps(details: BatchDetails, now: Date): Step[] {
  const { batch, refused, startedAt, spokenAt } = details;
  const refusals = refused === 0 ? "" : `, ${refused.toLocaleString()} of which consent or quota refused`;
  const steps: Step[] = [
    { at: batch.createdAt, title: "Accepted", detail: `${counted(batch.totalCalls, "number")}${refusals}.` },
  ];
  if (startedAt !== null) steps.push({ at: startedAt, title: "First call started" });
  if (spokenAt !== null) steps.push({ at: spokenAt, title: "Speech ready", detail: describeSpeech(batch) });
  if (batch.completedAt !== null) {
    const { success, partial, failed } = batch;
    const numbers = [success, partial, failed].map((count) => count.toLocaleString());
    const detail = `${numbers[0]} heard to the end, ${numbers[1]} in part, ${numbers[2]} failed.`;
    steps.push({ at: batch.completedAt, title: "Last call ended", detail });
  }
  const callbacks = describeCallbacks(details);
  const past = callbacks === undefined || callbacks.at === null ? steps : [...steps, callbacks];
  const toCome = [...describeRest(details, now), ...(callbacks?.at === null ? [callbacks] : [])];
  return [...inOrder(past), ...toCome];
}

function describeSpeech({
  ttsCacheHits,
  ttsCacheMisses,
}: Pick<BatchDetails["batch"], "ttsCacheHits" | "ttsCacheMisses">): string {
  return `For ${counted(ttsCacheHits, "call")} from the cache, for ${ttsCacheMisses.toLocaleString()} newly generated.`;
}

/** Fewer calls, or a shorter time, say nothing about the pace of the others. */
const FEWEST_ENDED = 20;
const SHORTEST_MS = 10_000;

/**
 * How long the calls in progress take at the pace so far, in milliseconds. Undefined if that is not known: too few calls
 * have ended, or a rule delayed some, so that the pace was not that of the carrier.
 */
export function remainingMs(
  { batch, refused, scheduledAt, startedAt }: Pick<BatchDetails, "batch" | "refused" | "scheduledAt" | "startedAt">,
  now: Date,
): number | undefined {
  const ended = batch.success + batch.partial + batch.failed - refused;
  if (startedAt === null || scheduledAt !== null || ended < FEWEST_ENDED) return undefined;
  const elapsedMs = now.getTime() - Date.parse(startedAt);
  return elapsedMs < SHORTEST_MS ? undefined : (batch.pending * elapsedMs) / ended;
}

/** The calls that have not ended, and when they will have, as far as that is known. */
function describeRest(details: BatchDetails, now: Date): Step[] {
  const { batch, nextStartAt, lastStartAt } = details;
  const { pending, scheduled, completedAt, provisionalCount } = batch;
  if (completedAt !== null) {
    if (provisionalCount === 0) return [];
    const title = `${counted(provisionalCount, "call")} not yet priced`;
    return [{ at: null, title, detail: "Until the carrier reports the price, the cost is an estimate." }];
  }
  const takesMs = remainingMs(details, now);
  const detail = (
    <>
      {pending > 0 && `${pending.toLocaleString()} in progress or about to start. `}
      {nextStartAt !== null && lastStartAt !== null && (
        <>
          {scheduled.toLocaleString()} scheduled: the next starts on <Time at={nextStartAt} isWhole />, the last on{" "}
          <Time at={lastStartAt} isWhole />, so the batch does not end before that.
        </>
      )}
      {scheduled === 0 &&
        takesMs !== undefined &&
        `At the pace so far, they take about ${describeDuration(takesMs)} more.`}
      {scheduled === 0 && takesMs === undefined && "When they end depends on the carrier and on the recipients."}
    </>
  );
  return [{ at: null, title: `${counted(pending + scheduled, "call")} to go`, detail }];
}

/** Describes the outcomes of the callbacks; undefined if there are none. */
function describeCallbacks({ callbackUrl, callbacks, endCallback }: BatchDetails): Step | undefined {
  const { pending, delivered, failed } = callbacks;
  if (callbackUrl === null || pending.count + delivered.count + failed.count === 0) return undefined;
  const title = pending.count > 0 ? "Callbacks pending" : failed.count > 0 ? "Callbacks failed" : "Callbacks delivered";
  const detail = (
    <>
      {describeCount(delivered)} delivered, {describeCount(pending)} pending, {describeCount(failed)} failed.{" "}
      {endCallback !== null && (
        <>
          The end of the batch:{" "}
          <Link to={{ page: "callback", webhookId: endCallback.webhookId }}>{toVisible(endCallback.type)}</Link>,{" "}
          {toVisible(describeAttempts(endCallback))}
        </>
      )}
    </>
  );
  return { at: pending.count > 0 || endCallback === null ? null : endCallback.updatedAt, title, detail };
}
