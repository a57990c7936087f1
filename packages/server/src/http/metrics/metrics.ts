// Counts the server's metrics (docs/decisions/0035). Counting must cost only an addition or two, because every send does it.

import type { Schemas } from "@msgctl/contract";
import type { AttemptResult, CallbackEnd, Occurrence, ReachedStatus } from "../../store/store.ts";
import {
  type CheckpointFound,
  describe,
  format,
  type Gauges,
  type Labels,
  pairs,
  renderGauges,
  series,
  tally,
} from "./metrics-gauges.ts";

const HIGHEST_STATUS = 599;
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const COMMIT_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000];
const REQUEST_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000, 30_000];

const noMessages = (): Record<ReachedStatus, number> => ({
  ...{ QUEUED: 0, SENT: 0, DELIVERED: 0, UNDELIVERED: 0, FAILED: 0, EXPIRED: 0, CANCELED: 0, UNKNOWN: 0 },
});

/** Records a reply's status, and the milliseconds until it was sent. */
export type NoteReply = (status: number, ms: number) => void;

export class Metrics {
  readonly #requests = new Map<string, Float64Array>();
  readonly #durations = new Map<string, Histogram[]>();
  readonly #batchSizes = new Histogram(BATCH_SIZES);
  readonly #commits = new Histogram(COMMIT_MS, 1e-3);
  // every series exists from the start, so that Prometheus sees the first event as an increase
  readonly #messages = { SMS: noMessages(), EMAIL: noMessages(), VOICE: noMessages() };
  readonly #suppressed = { SMS: 0, EMAIL: 0, VOICE: 0 };
  readonly #tenants = new TenantCounts();
  readonly #attempts: Record<AttemptResult, number> = {
    ...{ "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, other: 0 },
    ...{ timeout: 0, unreachable: 0, not_allowed: 0, interrupted: 0 },
  };
  readonly #callbacks: Record<CallbackEnd, number> = { DELIVERED: 0, FAILED: 0 };
  readonly #payments: Record<Schemas["PaymentStatus"], number> = {
    ...{ PENDING: 0, REQUIRES_ACTION: 0, PROCESSING: 0, SUCCEEDED: 0, FAILED: 0, CANCELED: 0 },
  };
  readonly #checkpoints = { done: 0, held: 0, failed: 0 };
  #checkpoint: CheckpointFound | undefined;

  /** Returns a function that counts, by status, replies to requests that are not operations, such as pages. */
  countReplies(kind: string): (status: number) => void {
    const counts = new Float64Array(HIGHEST_STATUS + 1);
    this.#requests.set(kind, counts);
    return (status) => {
      counts[status] = (counts[status] as number) + 1;
    };
  }

  /** Returns a function that records an operation's replies and their durations. */
  timeReplies(operation: string): NoteReply {
    const count = this.countReplies(operation);
    // indexed by status class
    const histograms: Histogram[] = [];
    this.#durations.set(operation, histograms);
    return (status, ms) => {
      count(status);
      const hundreds = Math.floor(status / 100);
      histograms[hundreds] ??= new Histogram(REQUEST_MS, 1e-3);
      histograms[hundreds].observe(ms);
    };
  }

  /** Records a commit: the number of its writes, the time until it was on disk, and its occurrences. */
  readonly noteCommit = (writes: number, ms: number, occurrences: readonly Occurrence[]): void => {
    this.#batchSizes.observe(writes);
    this.#commits.observe(ms);
    for (const occurrence of occurrences) this.#note(occurrence);
  };

  /** Records a checkpoint of the log. Pass undefined if it failed. */
  readonly noteCheckpoint = (found: CheckpointFound | undefined): void => {
    if (found === undefined) this.#checkpoints.failed += 1;
    else {
      this.#checkpoints[found.isHeld ? "held" : "done"] += 1;
      this.#checkpoint = found;
    }
  };

  /** Renders the whole page. Gauges with unknown values are omitted. */
  render(gauges: Gauges): string {
    return [
      describe("msgd_requests_total", "counter", "Replies by operation and HTTP status."),
      ...Array.from(this.#requests, ([operation, counts]) => renderCounts(operation, counts)),
      describe(
        "msgd_request_duration_seconds",
        "histogram",
        "Time from the receipt of a request's head until its reply was sent.",
      ),
      ...Array.from(this.#durations, ([operation, histograms]) => renderDurations(operation, histograms)),
      describe("msgd_commit_batch_size", "histogram", "Writes that were committed together."),
      this.#batchSizes.render("msgd_commit_batch_size"),
      describe("msgd_commit_seconds", "histogram", "Time from the start of a group of writes until it was on disk."),
      this.#commits.render("msgd_commit_seconds"),
      describe("msgd_messages_total", "counter", "Messages that reached a status, by channel. QUEUED means accepted."),
      ...Object.entries(this.#messages).map(([channel, counts]) =>
        tally("msgd_messages_total", "status", counts, { channel }),
      ),
      describe(
        "msgd_suppressed_messages_total",
        "counter",
        "Messages that were not sent because their recipient is suppressed.",
      ),
      tally("msgd_suppressed_messages_total", "channel", this.#suppressed),
      describe(
        "msgd_tenant_messages_total",
        "counter",
        `Accepted messages of the ${MOST_TENANTS} tenants that sent most recently, and of all other tenants together.`,
      ),
      tally("msgd_tenant_messages_total", "tenant", this.#tenants.totals),
      describe(
        "msgd_callback_attempts_total",
        "counter",
        "Attempts to deliver callbacks, by the class of the receiver's answer or the reason why there was none.",
      ),
      tally("msgd_callback_attempts_total", "result", this.#attempts),
      describe(
        "msgd_callbacks_total",
        "counter",
        "Callbacks that were accepted by their receivers or given up as FAILED.",
      ),
      tally("msgd_callbacks_total", "status", this.#callbacks),
      describe("msgd_payments_total", "counter", "Payments that reached a status. PENDING means accepted."),
      tally("msgd_payments_total", "status", this.#payments),
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
      case "suppressed":
        this.#suppressed[occurrence.channel] += 1;
        return;
      case "callback-attempt":
        this.#attempts[occurrence.result] += 1;
        return;
      case "callbacks":
        this.#callbacks[occurrence.status] += occurrence.count;
        return;
      case "payment":
        this.#payments[occurrence.status] += 1;
        return;
      case "message-event":
        // counted as a callback once it has ended
        return;
    }
  }
}

function renderCounts(operation: string, counts: Float64Array): string {
  const some = Array.from(counts, (count, status) => [status, count] as const).filter(([, count]) => count > 0);
  return tally("msgd_requests_total", "status", Object.fromEntries(some), { operation });
}

/** Renders the histograms. A status class without replies has no series, to save lines: a histogram has many. */
function renderDurations(operation: string, histograms: readonly Histogram[]): string {
  return histograms
    .map((histogram, hundreds) =>
      histogram.render("msgd_request_duration_seconds", { operation, status_class: `${hundreds}xx` }),
    )
    .join("");
}

/** Counts values in buckets with ascending, inclusive upper bounds. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #scale: number;
  readonly #counts: Float64Array;
  #sum = 0;

  /** @param scale factor that converts observed values to the unit that is shown */
  constructor(bounds: readonly number[], scale = 1) {
    this.#bounds = bounds;
    this.#scale = scale;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#sum += value;
  }

  /** Renders the lines for Prometheus. */
  render(name: string, labels: Labels = {}): string {
    const own = pairs(labels);
    const start = `${name}_bucket{${own}${own === "" ? "" : ","}le="`;
    let lines = "";
    let total = 0;
    this.#counts.forEach((count, index) => {
      total += count;
      const bound = this.#bounds[index];
      lines += `${start}${bound === undefined ? "+Inf" : format(bound * this.#scale)}"} ${total}\n`;
    });
    return lines + series(`${name}_sum`, labels, this.#sum * this.#scale) + series(`${name}_count`, labels, total);
  }
}

/** The most tenants that have a series. */
export const MOST_TENANTS = 20;
/** The most tenants without a series whose recent counts are kept. */
const MOST_OTHERS = 10_000;
/** The number of messages after which all recent counts are halved. */
const HALVED_AFTER = 10_000;
/**
 * Factor by which a tenant's recent messages must exceed another's to take over its series. It keeps two tenants from
 * alternating.
 */
const OVERTAKES_AT = 2;

interface Series {
  total: number;
  recent: number;
}

/**
 * Counts messages by tenant in a bounded number of series: the tenants that send most have one each, and all others share one.
 * A tenant that is overtaken loses its series. If it gets a series again later, that series starts at 0.
 */
export class TenantCounts {
  readonly #series = new Map<number, Series>();
  /** Recent counts of tenants without a series. */
  readonly #others = new Map<number, number>();
  #ofOthers = 0;
  #sinceHalved = 0;

  count(tenantId: number): void {
    this.#sinceHalved += 1;
    if (this.#sinceHalved >= HALVED_AFTER) this.#halve();
    const own = this.#series.get(tenantId);
    if (own !== undefined) {
      own.total += 1;
      own.recent += 1;
      return;
    }
    if (this.#series.size < MOST_TENANTS) {
      this.#series.set(tenantId, { total: 1, recent: 1 });
      return;
    }
    this.#ofOthers += 1;
    const recent = (this.#others.get(tenantId) ?? 0) + 1;
    if (this.#others.size >= MOST_OTHERS) this.#others.clear();
    this.#others.set(tenantId, recent);
    const [last, least] = this.#findLeast();
    if (recent < OVERTAKES_AT * Math.max(1, least.recent)) return;
    this.#series.delete(last);
    this.#others.delete(tenantId);
    this.#others.set(last, least.recent);
    // the tenant's earlier messages stay in the shared count
    this.#series.set(tenantId, { total: 0, recent });
  }

  /** The totals by tenant, followed by the shared total of all others. */
  get totals(): Readonly<Record<string, number>> {
    const own = Array.from(this.#series, ([tenantId, { total }]) => [String(tenantId), total]);
    return { ...Object.fromEntries(own), other: this.#ofOthers };
  }

  #findLeast(): [number, Series] {
    const [first, ...others] = this.#series;
    if (first === undefined) throw new Error("there is no series");
    return others.reduce((least, one) => (one[1].recent < least[1].recent ? one : least), first);
  }

  #halve(): void {
    this.#sinceHalved = 0;
    for (const one of this.#series.values()) one.recent = Math.floor(one.recent / 2);
    for (const [tenantId, recent] of this.#others) {
      if (recent < 2) this.#others.delete(tenantId);
      else this.#others.set(tenantId, Math.floor(recent / 2));
    }
  }
}
