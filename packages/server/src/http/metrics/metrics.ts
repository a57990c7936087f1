// The server's own metrics. Counting is an addition or two, because every send does it.

import type { AttemptResult, CallbackEnd, Occurrence, ReachedStatus } from "../../store/occurrences.ts";
import { Histogram } from "./histogram.ts";
import { type CheckpointFound, type Gauges, renderGauges } from "./metrics-gauges.ts";
import { describe, tally } from "./metrics-text.ts";
import { MOST_TENANTS, TenantCounts } from "./tenant-counts.ts";

const HIGHEST_STATUS = 599;
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const COMMIT_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000];
const REQUEST_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 30_000];

const noMessages = (): Record<ReachedStatus, number> => ({
  ...{ QUEUED: 0, SENT: 0, DELIVERED: 0, UNDELIVERED: 0, FAILED: 0, EXPIRED: 0, CANCELED: 0, UNKNOWN: 0 },
});

/** Records a reply's status, and how many milliseconds it took until it was sent. */
export type NoteReply = (status: number, ms: number) => void;

export class Metrics {
  readonly #requests = new Map<string, Float64Array>();
  readonly #durations = new Map<string, Histogram[]>();
  readonly #batchSizes = new Histogram(BATCH_SIZES);
  readonly #commits = new Histogram(COMMIT_MS, 1e-3);
  // all series exist from the start, so that the first of a kind shows as an increase
  readonly #messages = { SMS: noMessages(), EMAIL: noMessages(), VOICE: noMessages() };
  readonly #tenants = new TenantCounts();
  readonly #attempts: Record<AttemptResult, number> = {
    ...{ "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, other: 0 },
    ...{ timeout: 0, unreachable: 0, not_allowed: 0, interrupted: 0 },
  };
  readonly #callbacks: Record<CallbackEnd, number> = { DELIVERED: 0, FAILED: 0 };
  readonly #checkpoints = { done: 0, held: 0, failed: 0 };
  #checkpoint: CheckpointFound | undefined;

  /** Returns a counter, by status, of replies to requests that are no operation. */
  countReplies(kind: string): (status: number) => void {
    const counts = new Float64Array(HIGHEST_STATUS + 1);
    this.#requests.set(kind, counts);
    return (status) => {
      counts[status] = (counts[status] as number) + 1;
    };
  }

  /** Returns a recorder of an operation's replies and their durations. */
  timeReplies(operation: string): NoteReply {
    const count = this.countReplies(operation);
    // by status class
    const histograms: Histogram[] = [];
    this.#durations.set(operation, histograms);
    return (status, ms) => {
      count(status);
      const hundreds = Math.floor(status / 100);
      histograms[hundreds] ??= new Histogram(REQUEST_MS, 1e-3);
      histograms[hundreds].observe(ms);
    };
  }

  /** Records a commit: the number of its units of work, how long it took to reach the disk, and what occurred. */
  readonly noteCommit = (units: number, ms: number, occurrences: readonly Occurrence[]): void => {
    this.#batchSizes.observe(units);
    this.#commits.observe(ms);
    for (const occurrence of occurrences) this.#note(occurrence);
  };

  /** Records a checkpoint of the log; undefined for a failed one. */
  readonly noteCheckpoint = (found: CheckpointFound | undefined): void => {
    if (found === undefined) this.#checkpoints.failed += 1;
    else {
      this.#checkpoints[found.isHeld ? "held" : "done"] += 1;
      this.#checkpoint = found;
    }
  };

  /** Renders the whole page, with the gauges that are known. */
  render(gauges: Gauges): string {
    return [
      describe("msgd_requests_total", "counter", "Replies by operation and HTTP status."),
      ...Array.from(this.#requests, ([operation, counts]) => renderCounts(operation, counts)),
      describe(
        "msgd_request_duration_seconds",
        "histogram",
        "Time from a request's head until its reply had gone out.",
      ),
      ...Array.from(this.#durations, ([operation, histograms]) => renderDurations(operation, histograms)),
      describe("msgd_commit_batch_size", "histogram", "Units of work that were committed together."),
      this.#batchSizes.render("msgd_commit_batch_size"),
      describe("msgd_commit_seconds", "histogram", "Time from the start of a group of writes until it was on disk."),
      this.#commits.render("msgd_commit_seconds"),
      describe("msgd_messages_total", "counter", "Messages that came to a status, by channel; QUEUED is accepted."),
      ...Object.entries(this.#messages).map(([channel, counts]) =>
        tally("msgd_messages_total", "status", counts, { channel }),
      ),
      describe(
        "msgd_tenant_messages_total",
        "counter",
        `Messages that were accepted, of the ${MOST_TENANTS} tenants that sent most lately, and of all others.`,
      ),
      tally("msgd_tenant_messages_total", "tenant", this.#tenants.totals),
      describe(
        "msgd_callback_attempts_total",
        "counter",
        "Posts of callbacks, by the answer's class or why none came.",
      ),
      tally("msgd_callback_attempts_total", "result", this.#attempts),
      describe("msgd_callbacks_total", "counter", "Callbacks that were taken, or given up as FAILED."),
      tally("msgd_callbacks_total", "status", this.#callbacks),
      describe("msgd_checkpoints_total", "counter", "Checkpoints of the database's log, by result."),
      tally("msgd_checkpoints_total", "result", this.#checkpoints),
      renderGauges(gauges, this.#checkpoint),
    ].join("");
  }

  #note(occurrence: Occurrence): void {
    switch (occurrence.kind) {
      case "message":
        this.#messages[occurrence.channel][occurrence.status] += 1;
        if (occurrence.tenantId !== undefined) this.#tenants.count(occurrence.tenantId);
        return;
      case "callback-attempt":
        this.#attempts[occurrence.result] += 1;
        return;
      case "callbacks":
        this.#callbacks[occurrence.status] += occurrence.count;
    }
  }
}

function renderCounts(operation: string, counts: Float64Array): string {
  const some = Array.from(counts, (count, status) => [status, count] as const).filter(([, count]) => count > 0);
  return tally("msgd_requests_total", "status", Object.fromEntries(some), { operation });
}

/** A status class without replies has no series: each class adds one more than there are bounds. */
function renderDurations(operation: string, histograms: readonly Histogram[]): string {
  return histograms
    .map((histogram, hundreds) =>
      histogram.render("msgd_request_duration_seconds", { operation, status_class: `${hundreds}xx` }),
    )
    .join("");
}
