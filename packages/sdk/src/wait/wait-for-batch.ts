/** Reads the totals of a batch of calls until all of them are over. */
import { TTS_BATCH_STATUS_ENDS } from "@msgctl/contract/constants";
import { AbortedError, TimeoutError, UsageError } from "../errors.ts";
import type { ReplyData } from "../exact-integers.ts";
import { TtsResource } from "../generated/resources.ts";
import type { VoiceTtsBatchSummaryView } from "../generated/types.ts";
import { checkNames, type NamesOf } from "../known-names.ts";
import { checkBounds } from "../options.ts";
import type { PathValue } from "../path-values.ts";
import { WaitLimits } from "./wait-limits.ts";

/** Options of `client.tts.waitForBatch`. `E` is the value of `exactIntegers`. */
export interface WaitForBatchOptions<E extends boolean = false> {
  /** When aborted, ends the wait with an `AbortedError`; the calls continue. */
  signal?: AbortSignal | undefined;
  /** Called with the first summary and with each that differs from the one before. An error that it throws ends the wait. */
  onProgress?: ((summary: ReplyData<VoiceTtsBatchSummaryView, E>) => void) | undefined;
  /** Time limit of the whole wait, in milliseconds. @default none */
  timeoutMs?: number | undefined;
  /**
   * Pause between two reads, in milliseconds. @default from 500, growing by half each time, to 5000, or to 60000 while
   * every call is scheduled for later
   */
  pollMs?: number | undefined;
  /** Returns exact integers, as with any call. @default false */
  exactIntegers?: E | undefined;
}

const OF_WAIT: NamesOf<WaitForBatchOptions> = { signal: 1, onProgress: 1, timeoutMs: 1, pollMs: 1, exactIntegers: 1 };

/** An unknown status of a newer service is none of these, so the wait continues. */
const OVER: readonly string[] = TTS_BATCH_STATUS_ENDS;
const FIRST_PAUSE_MS = 500;
const GROWTH = 1.5;
const LONGEST_PAUSE_MS = 5_000;
const LONGEST_SCHEDULED_PAUSE_MS = 60_000;

/** Calls that speak a text, and a method that waits until the calls of a batch are over. */
export class WaitingTtsResource extends TtsResource {
  /**
   * Waits until every call of a batch has ended. A failed read is retried like any call; if it still fails, the wait ends
   * with its error.
   *
   * @param batchId - Identifier of the batch.
   * @param options - Signal, progress, time limit of the whole wait, pause.
   * @returns The last summary: COMPLETED, COMPLETED_WITH_ERRORS or FAILED. A batch with errors is not thrown.
   * @throws {TimeoutError} When `timeoutMs` has passed; the message says how far the batch was.
   * @throws {AbortedError} As soon as the signal is aborted.
   * @throws {UsageError} For a time limit or a pause out of its range.
   * @throws {ApiError} 404 `batch_not_found`: There is no such batch
   * @example
   * const { batchId } = await client.tts.create(body);
   * const summary = await client.tts.waitForBatch(batchId, {
   *   timeoutMs: 10 * 60_000,
   *   onProgress: ({ pending, scheduled, totalCalls }) => console.log(`${pending + scheduled} of ${totalCalls} to go`),
   * });
   * console.log(summary.status, summary.success, summary.failed);
   */
  async waitForBatch<E extends boolean = false>(
    batchId: PathValue,
    options: WaitForBatchOptions<E> = {},
  ): Promise<ReplyData<VoiceTtsBatchSummaryView, E>> {
    const { onProgress, pollMs, signal, timeoutMs = Number.POSITIVE_INFINITY, exactIntegers } = options;
    checkNames("Options of the wait", options, OF_WAIT);
    checkBounds({ timeoutMs });
    checkPause(pollMs);
    const limits = new WaitLimits(signal, timeoutMs);
    let summary: ReplyData<VoiceTtsBatchSummaryView, E> | undefined;
    try {
      for (let pauseMs = FIRST_PAUSE_MS; !limits.reached; pauseMs *= GROWTH) {
        const read = await this.summary<E>(batchId, { signal: limits.signal, exactIntegers });
        const isChanged = !isSame(read, summary);
        summary = read;
        if (isChanged) onProgress?.(read);
        if (OVER.includes(read.status)) return read;
        pauseMs = Math.min(pauseMs, read.status === "SCHEDULED" ? LONGEST_SCHEDULED_PAUSE_MS : LONGEST_PAUSE_MS);
        await limits.pause(pollMs ?? pauseMs);
      }
    } catch (error) {
      if (!limits.reached || !(error instanceof AbortedError)) throw error;
    } finally {
      limits.close();
    }
    const advice = `Batch ${batchId} ${howFar(summary)} Its calls go on: wait again, or read client.tts.summary.`;
    if (limits.reached === "time") throw new TimeoutError(`The wait took longer than ${timeoutMs} ms. ${advice}`);
    throw new AbortedError(`The wait was aborted by its signal. ${advice}`, {}, signal?.reason);
  }
}

function checkPause(pollMs: number | undefined): void {
  if (pollMs === undefined || (pollMs >= 100 && pollMs <= 3_600_000)) return;
  throw new UsageError(`pollMs is ${String(pollMs)}. It must be milliseconds, from 100 to 3600000 (an hour).`);
}

/** Compares summaries: all their fields are plain values. */
function isSame(summary: object, before: object | undefined): boolean {
  return before !== undefined && Object.entries(summary).every(([name, value]) => Reflect.get(before, name) === value);
}

function howFar(summary: ReplyData<VoiceTtsBatchSummaryView, boolean> | undefined): string {
  if (!summary) return "was never read.";
  const { status, totalCalls, success, failed, partial, pending, scheduled } = summary;
  return (
    `was ${status}: of ${totalCalls} calls ${success} succeeded, ${failed} failed, ${partial} were heard in part, ` +
    `${pending} are under way and ${scheduled} are scheduled for later.`
  );
}
