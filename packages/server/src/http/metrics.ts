// What the server counts of itself, in Prometheus' text format. Counting is an addition or two: it is part of every send.

import { type Backlog, MOST_COUNTED } from "../store/backlog.ts";

/** Of `# TYPE` and `# HELP`: a metric's name, kind and meaning. */
type Kind = "counter" | "gauge" | "histogram";

const HIGHEST_STATUS = 599;
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
const COMMIT_MS = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000];

/** Counts values into ranges that each end at a bound, inclusive; bounds rise. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] as number)) index += 1;
    this.#counts[index] = (this.#counts[index] as number) + 1;
    this.#sum += value;
  }

  /** Prometheus' lines; `scale` turns the unit that was observed into the one that is shown. */
  render(name: string, scale = 1): string {
    let total = 0;
    const buckets = Array.from(this.#counts, (count, index) => {
      total += count;
      const bound = this.#bounds[index];
      return `${name}_bucket{le="${bound === undefined ? "+Inf" : format(bound * scale)}"} ${total}\n`;
    });
    return `${buckets.join("")}${name}_sum ${format(this.#sum * scale)}\n${name}_count ${total}\n`;
  }
}

/** Moments of the event loop, in nanoseconds; read and begun anew at each scrape. */
export interface LoopDelay {
  readonly max: number;
  percentile(percent: number): number;
  /** Of the last minute: no scrape begins it anew. */
  readonly longestTurn: number;
  reset(): void;
}

export class Metrics {
  readonly #requests = new Map<string, Float64Array>();
  readonly #batchSizes = new Histogram(BATCH_SIZES);
  readonly #commits = new Histogram(COMMIT_MS);

  /** A counter of one operation's replies, by status. */
  countReplies(operation: string): (status: number) => void {
    const counts = new Float64Array(HIGHEST_STATUS + 1);
    this.#requests.set(operation, counts);
    return (status) => {
      counts[status] = (counts[status] as number) + 1;
    };
  }

  /** Notes a group of units of work, and how long it took them to be on disk. */
  readonly noteCommit = (units: number, ms: number): void => {
    this.#batchSizes.observe(units);
    this.#commits.observe(ms);
  };

  /** The whole page. Without `backlog`, which the database could not tell, its gauges are left out. */
  render({ backlog, loopDelay, now }: { backlog: Backlog | undefined; loopDelay?: LoopDelay; now: number }): string {
    const parts = [
      describe("msgd_requests_total", "counter", "Replies by operation and HTTP status."),
      ...Array.from(this.#requests, ([operation, counts]) => renderCounts(operation, counts)),
      describe("msgd_commit_batch_size", "histogram", "Units of work that were committed together."),
      this.#batchSizes.render("msgd_commit_batch_size"),
      describe("msgd_commit_seconds", "histogram", "Time from the start of a group of writes until it was on disk."),
      this.#commits.render("msgd_commit_seconds", 1e-3),
      gauge(
        "msgd_store_readable",
        "Whether the database could be read for this page: 1 or 0.",
        Number(backlog !== undefined),
      ),
      gauge("process_resident_memory_bytes", "Memory that the process holds.", process.memoryUsage.rss()),
      gauge(
        "process_start_time_seconds",
        "When the process was started.",
        Math.floor(Date.now() / 1_000 - process.uptime()),
      ),
    ];
    if (loopDelay !== undefined) parts.push(renderLoopDelay(loopDelay));
    if (backlog !== undefined) parts.push(renderBacklog(backlog, now));
    return parts.join("");
  }
}

function renderCounts(operation: string, counts: Float64Array): string {
  const lines: string[] = [];
  counts.forEach((count, status) => {
    if (count > 0) lines.push(`msgd_requests_total{operation="${operation}",status="${status}"} ${count}\n`);
  });
  return lines.join("");
}

function renderLoopDelay(delay: LoopDelay): string {
  const name = "msgd_event_loop_delay_seconds";
  const quantiles = [50, 99].map(
    (percent) => `${name}{quantile="0.${percent}"} ${seconds(delay.percentile(percent))}\n`,
  );
  const lines = [
    describe(name, "gauge", "How late the event loop was since the last scrape."),
    ...quantiles,
    gauge(
      "msgd_event_loop_delay_max_seconds",
      "How late it was at most since the last scrape.",
      Number(seconds(delay.max)),
    ),
    gauge(
      "msgd_event_loop_longest_turn_seconds",
      "The longest that one turn of it took in the last minute, its sleep left out.",
      Number(seconds(delay.longestTurn)),
    ),
  ];
  delay.reset();
  return lines.join("");
}

function renderBacklog(
  { waiting, oldestDueAt, inDoubt, unknown, jobsDue, callbacksPending }: Backlog,
  now: number,
): string {
  const ageSeconds = oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1_000;
  return [
    counted("msgd_outbox_depth", "Messages that wait to be submitted or asked about, and are due.", waiting),
    gauge("msgd_outbox_oldest_age_seconds", "How long the longest due of them has waited.", ageSeconds),
    counted("msgd_outcomes_in_doubt", "Messages whose submission is ambiguous, and asked about.", inDoubt),
    counted("msgd_outcomes_unknown", "Messages that ended UNKNOWN: no final state within 72 hours.", unknown),
    counted("msgd_jobs_due", "Steps that are due and not done.", jobsDue),
    counted("msgd_callbacks_pending", "Callbacks that no receiver has taken yet.", callbacksPending),
  ].join("");
}

/** A gauge of what is counted no further than a bound. */
function counted(name: string, help: string, value: number): string {
  return gauge(name, `${help} ${MOST_COUNTED} means as many or more.`, value);
}

function gauge(name: string, help: string, value: number): string {
  return `${describe(name, "gauge", help)}${name} ${format(value)}\n`;
}

function describe(name: string, kind: Kind, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
}

/** Of nanoseconds; a histogram without a value gives NaN. */
function seconds(nanoseconds: number): string {
  return format(Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds) / 1e9 : 0);
}

/** Without the noise of binary fractions. */
function format(value: number): string {
  return String(Number(value.toPrecision(12)));
}
