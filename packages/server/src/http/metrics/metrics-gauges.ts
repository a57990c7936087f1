// Renders metrics in Prometheus' text format, version 0.0.4, and the gauges that are read at each scrape.

import { type Backlog, MOST_COUNTED, type QueueBacklog, type Waiting } from "../../domain/reports/backlog-rows.ts";
import type { LoopDelay } from "../../platform/event-loop-delay.ts";
import { NO_CARRIER } from "../../store/queue/message-rows.ts";

type Kind = "counter" | "gauge" | "summary" | "histogram";

export type Labels = Readonly<Record<string, string | number>>;

/** Renders the header of a metric, which precedes its series. */
export function describe(name: string, kind: Kind, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
}

/** Renders one series. Labels are the program's own words, or made harmless: nothing is escaped. */
export function series(name: string, labels: Labels, value: number): string {
  const own = pairs(labels);
  return `${name}${own === "" ? "" : `{${own}}`} ${format(value)}\n`;
}

/** Renders labels as they appear between braces. */
export function pairs(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, word]) => `${label}="${word}"`)
    .join(",");
}

/** Renders series that differ in one label, whose values are the keys of `counts`. */
export function tally(
  name: string,
  label: string,
  counts: Readonly<Record<string, number>>,
  labels: Labels = {},
): string {
  return Object.entries(counts)
    .map(([word, count]) => series(name, { ...labels, [label]: word }, count))
    .join("");
}

/** Renders a gauge without labels; nothing for an unknown value. */
function gauge(name: string, help: string, value: number | undefined): string {
  return value === undefined ? "" : describe(name, "gauge", help) + series(name, {}, value);
}

/** Rounds away the noise of binary fractions. */
export function format(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(12)));
}

/** The page size of SQLite's log. */
const PAGE_BYTES = 4_096;

/** The pages of the database's log that a checkpoint found; `isHeld` if a reader kept it from moving all of them. */
export interface CheckpointFound {
  readonly pages: number;
  readonly moved: number;
  readonly isHeld: boolean;
}

/** The space on the data's disk, in bytes. */
export interface DiskRoom {
  readonly total: number;
  /** Available to the server's user: the system may reserve some of the free space. */
  readonly free: number;
  /** The database's file, without its log. */
  readonly database: number;
}

export interface Gauges {
  /** The name of this process among those that share a database. */
  readonly instance: string;
  /** Undefined if the database could not be read. */
  readonly backlog: (Backlog & { readonly uncarried: QueueBacklog }) | undefined;
  /** Number of disabled tenants. Undefined if the database could not be read. */
  readonly disabledTenants?: number | undefined;
  /** Epoch milliseconds; null before the first. Undefined if msgd makes none, or the database could not be read. */
  readonly lastBackup?: number | null | undefined;
  /** Undefined if the data is not on a disk, or the disk could not be read. */
  readonly disk?: DiskRoom | undefined;
  /** Milliseconds by which this machine's clock is ahead of the database's. Undefined if they were not compared. */
  readonly clockAheadMs?: number | undefined;
  /** Undefined if not measured. */
  readonly loopDelay?: LoopDelay | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

export function renderGauges(
  { instance, backlog, disabledTenants, lastBackup, disk, clockAheadMs, loopDelay, now }: Gauges,
  checkpoint: CheckpointFound | undefined,
): string {
  return [
    describe("msgd_instance_info", "gauge", "Always 1: the host and port of this process."),
    // not `instance`, under which Prometheus has the address that it asks
    series("msgd_instance_info", { name: instance }, 1),
    gauge(
      "msgd_store_readable",
      "Whether the database could be read for this page: 1 or 0.",
      Number(backlog !== undefined),
    ),
    backlog === undefined ? "" : renderBacklog(backlog, now),
    gauge("msgd_tenants_disabled", "Tenants that the operator has disabled: what they sent waits.", disabledTenants),
    gauge(
      "msgd_last_backup_timestamp_seconds",
      "Of which moment the last backup by msgd is; 0 before the first.",
      lastBackup === undefined ? undefined : (lastBackup ?? 0) / 1_000,
    ),
    gauge(
      "msgd_clock_ahead_seconds",
      "By how much this machine's clock is ahead of the database's; less than 0: behind.",
      clockAheadMs && clockAheadMs / 1_000,
    ),
    checkpoint === undefined ? "" : renderLog(checkpoint),
    gauge("msgd_disk_size_bytes", "The disk that the data is on.", disk?.total),
    gauge("msgd_disk_free_bytes", "What of it is free for msgd.", disk?.free),
    gauge("msgd_database_bytes", "The database's file, without its log.", disk?.database),
    loopDelay === undefined ? "" : renderLoopDelay(loopDelay),
    renderProcess(),
  ].join("");
}

function renderBacklog(backlog: NonNullable<Gauges["backlog"]>, now: number): string {
  const { waiting, oldestDueAt, inDoubt, unknown, jobsDue, callbacksPending, unmatchedTexts, carriers, uncarried } =
    backlog;
  const inNoQueue = { kind: "none", waiting, oldestAt: oldestDueAt } as const;
  return [
    renderOutbox([inNoQueue, { kind: NO_CARRIER, ...uncarried }, ...carriers], now),
    counted("msgd_outcomes_in_doubt", "Messages whose submission is ambiguous, and asked about.", inDoubt),
    counted("msgd_outcomes_unknown", "Messages that ended UNKNOWN: no final state within 72 hours.", unknown),
    counted("msgd_jobs_due", "Jobs that are due and not done.", jobsDue),
    counted("msgd_callbacks_pending", "Callbacks that no receiver has taken yet.", callbacksPending),
    counted(
      "msgd_texts_unmatched",
      "Texts that came in the last 90 days to numbers that are nobody's here.",
      unmatchedTexts,
    ),
    renderWaiting("msgd_payments_waiting", "Payments", backlog.payments, now),
    renderWaiting("msgd_registrations_waiting", "Brands, campaigns and numbers", backlog.registrations, now),
    renderCarriers(carriers),
  ].join("");
}

/** Renders the number of those that wait for the operator, and the age of the oldest. */
function renderWaiting(name: string, what: string, { count, since }: Waiting, now: number): string {
  return (
    counted(name, `${what} of live tenants that wait for the operator.`, count) +
    gauge(`${name}_oldest_age_seconds`, "How long the oldest of them has waited.", ageOf(since, now))
  );
}

/** Returns how long something has waited, in seconds; 0 for nothing. */
function ageOf(since: number | null, now: number): number {
  return since === null ? 0 : Math.max(0, now - since) / 1_000;
}

type QueueSeries = QueueBacklog & { readonly kind: string };

function renderOutbox(queues: readonly QueueSeries[], now: number): string {
  const depth = "msgd_outbox_depth";
  const age = "msgd_outbox_oldest_age_seconds";
  return [
    describe(
      depth,
      "gauge",
      `Messages that wait in carriers' queues, by their kind; none: those in no carrier's queue that are due to be submitted or asked about; ${NO_CARRIER}: those, and calls, of live tenants that have no carrier for them. ${atMost}`,
    ),
    ...queues.map((queue) => series(depth, { kind: queue.kind }, queue.waiting)),
    describe(
      age,
      "gauge",
      "How long the oldest of them has waited: since it was accepted; in no queue, since it was due.",
    ),
    ...queues.map((queue) => series(age, { kind: queue.kind }, ageOf(queue.oldestAt, now))),
  ].join("");
}

function renderCarriers(carriers: Backlog["carriers"]): string {
  return [
    describe("msgd_carriers", "gauge", "Carriers that tenants were given, by whether they can be reached."),
    ...carriers.flatMap(({ kind, up, down }) => [
      series("msgd_carriers", { kind, state: "up" }, up),
      series("msgd_carriers", { kind, state: "down" }, down),
    ]),
  ].join("");
}

const atMost = `${MOST_COUNTED} means as many or more.`;

/** Renders a gauge whose count stops at a limit. */
function counted(name: string, help: string, value: number): string {
  return gauge(name, `${help} ${atMost}`, value);
}

function renderLog({ pages, moved }: CheckpointFound): string {
  return [
    gauge("msgd_log_bytes", "The database's log since it last began anew.", pages * PAGE_BYTES),
    gauge("msgd_log_unmoved_bytes", "What of it the last checkpoint left to be moved.", (pages - moved) * PAGE_BYTES),
  ].join("");
}

function renderLoopDelay(delay: LoopDelay): string {
  const name = "msgd_event_loop_delay_seconds";
  const lines = [
    describe(name, "summary", "How late the event loop was since the last scrape."),
    ...[50, 99].map((percent) => series(name, { quantile: `0.${percent}` }, seconds(delay.percentile(percent)))),
    gauge("msgd_event_loop_delay_max_seconds", "How late it was at most since the last scrape.", seconds(delay.max)),
    gauge(
      "msgd_event_loop_longest_turn_seconds",
      "The longest that one turn of it took in the last minute, its sleep left out.",
      seconds(delay.longestTurn),
    ),
  ];
  delay.reset();
  return lines.join("");
}

/** Converts nanoseconds; an empty histogram gives NaN. */
function seconds(nanoseconds: number): number {
  return Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds) / 1e9 : 0;
}

/** Renders the process's metrics under the names that Prometheus' own libraries give them. */
function renderProcess(): string {
  const { user, system } = process.cpuUsage();
  const startedAt = Math.floor(Date.now() / 1_000 - process.uptime());
  const cpu = "process_cpu_seconds_total";
  return [
    describe(cpu, "counter", "Time that the process has computed, all its threads together."),
    series(cpu, {}, (user + system) / 1e6),
    gauge("process_resident_memory_bytes", "Memory that the process holds.", process.memoryUsage.rss()),
    gauge("process_start_time_seconds", "When the process was started.", startedAt),
  ].join("");
}
