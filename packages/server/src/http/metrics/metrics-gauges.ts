// Renders metrics in Prometheus' text format, version 0.0.4. Also renders the gauges, whose values are read at each scrape.

import { type Backlog, MOST_COUNTED, type QueueBacklog, type Waiting } from "../../domain/reports/backlog-rows.ts";
import type { LoopDelay } from "../../platform/event-loop-delay.ts";
import { NO_CARRIER } from "../../store/queue/message-rows.ts";

type Kind = "counter" | "gauge" | "summary" | "histogram";

export type Labels = Readonly<Record<string, string | number>>;

/** Renders the header of a metric, which comes before its series. */
export function describe(name: string, kind: Kind, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`;
}

/** Renders one series. Escapes nothing: labels are constants of the program or already sanitized. */
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

/** Renders series that differ in one label. The label's values are the keys of `counts`. */
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

/** Renders a gauge without labels; an empty text if the value is unknown. */
function gauge(name: string, help: string, value: number | undefined): string {
  return value === undefined ? "" : describe(name, "gauge", help) + series(name, {}, value);
}

/** Formats a number without the rounding errors of binary fractions. */
export function format(value: number): string {
  return String(Number.isInteger(value) ? value : Number(value.toPrecision(12)));
}

/** The page size of SQLite's log. */
const PAGE_BYTES = 4_096;

/** The pages of the database's log at a checkpoint. `isHeld`: a reader kept the checkpoint from moving all of them. */
export interface CheckpointFound {
  readonly pages: number;
  readonly moved: number;
  readonly isHeld: boolean;
}

/** The space on the data's disk, in bytes. */
export interface DiskRoom {
  readonly total: number;
  /** Bytes available to the server's user. The system may reserve some of the free space. */
  readonly free: number;
  /** Bytes of the database's file, without its log. */
  readonly database: number;
}

export interface Gauges {
  /** The name of this process, unique among those that share the database. */
  readonly instance: string;
  /** Undefined if the database could not be read. */
  readonly backlog: (Backlog & { readonly uncarried: QueueBacklog }) | undefined;
  /** Number of disabled tenants. Undefined if the database could not be read. */
  readonly disabledTenants?: number | undefined;
  /** Epoch milliseconds; null before the first. Undefined if msgd makes no backups or the database could not be read. */
  readonly lastBackup?: number | null | undefined;
  /** Undefined if the data is not on a disk, or the disk could not be read. */
  readonly disk?: DiskRoom | undefined;
  /** How far this machine's clock is ahead of the database's, in milliseconds. Undefined if they were not compared. */
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
    // the label is not `instance`, because Prometheus uses that for the scraped address
    series("msgd_instance_info", { name: instance }, 1),
    gauge(
      "msgd_store_readable",
      "Whether the database could be read for this page: 1 or 0.",
      Number(backlog !== undefined),
    ),
    backlog === undefined ? "" : renderBacklog(backlog, now),
    gauge("msgd_tenants_disabled", "Tenants that the operator has disabled. Their messages wait.", disabledTenants),
    gauge(
      "msgd_last_backup_timestamp_seconds",
      "Time of the last backup by msgd; 0 before the first.",
      lastBackup === undefined ? undefined : (lastBackup ?? 0) / 1_000,
    ),
    gauge(
      "msgd_clock_ahead_seconds",
      "How far this machine's clock is ahead of the database's; negative if it is behind.",
      clockAheadMs && clockAheadMs / 1_000,
    ),
    checkpoint === undefined ? "" : renderLog(checkpoint),
    gauge("msgd_disk_size_bytes", "Size of the disk with the data.", disk?.total),
    gauge("msgd_disk_free_bytes", "Space available to msgd on the disk with the data.", disk?.free),
    gauge("msgd_database_bytes", "Size of the database's file, without its log.", disk?.database),
    loopDelay === undefined ? "" : renderLoopDelay(loopDelay),
    renderProcess(),
  ].join("");
}

function renderBacklog(backlog: NonNullable<Gauges["backlog"]>, now: number): string {
  const { waiting, oldestDueAt, inDoubt, unknown, jobsDue, callbacksPending, unmatchedTexts } = backlog;
  const { carriers, uncarried, processors } = backlog;
  const inNoQueue = { kind: "none", waiting, oldestAt: oldestDueAt } as const;
  return [
    renderOutbox([inNoQueue, { kind: NO_CARRIER, ...uncarried }, ...carriers], now),
    counted("msgd_outcomes_in_doubt", "Messages whose submission is in doubt: msgd asks their carriers.", inDoubt),
    counted("msgd_outcomes_unknown", "Messages that ended UNKNOWN: no final state within 72 hours.", unknown),
    counted("msgd_jobs_due", "Jobs that are due and not done.", jobsDue),
    counted("msgd_callbacks_pending", "Callbacks that no receiver has accepted yet.", callbacksPending),
    counted(
      "msgd_texts_unmatched",
      "Texts received in the last 90 days at numbers that belong to no tenant.",
      unmatchedTexts,
    ),
    renderWaiting("msgd_payments_waiting", "Payments", backlog.payments, now),
    renderWaiting("msgd_registrations_waiting", "Brands, campaigns and numbers", backlog.registrations, now),
    describe("msgd_carriers", "gauge", "Carriers of tenants, by kind and by whether they can be reached."),
    ...carriers.map((counts) => renderReach("msgd_carriers", counts)),
    describe(
      "msgd_processors",
      "gauge",
      "Payment processors of tenants, by kind and by whether the last attempt to ask them was answered.",
    ),
    ...processors.map((counts) => renderReach("msgd_processors", counts)),
  ].join("");
}

/** Renders the number of objects that wait for the operator, and the age of the oldest. */
function renderWaiting(name: string, what: string, { count, since }: Waiting, now: number): string {
  return (
    counted(name, `${what} of live tenants that wait for the operator.`, count) +
    gauge(`${name}_oldest_age_seconds`, `How long the oldest item in ${name} has waited.`, ageOf(since, now))
  );
}

/** Returns how long an object has waited, in seconds; 0 if there is none. */
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
      `Messages that wait, by the kind of the carrier in whose queue they are. Kind none: messages in no queue that are due for submission or a question to the carrier. Kind ${NO_CARRIER}: messages and calls of live tenants that have no carrier for them. ${atMost}`,
    ),
    ...queues.map((queue) => series(depth, { kind: queue.kind }, queue.waiting)),
    describe(
      age,
      "gauge",
      "How long the oldest message has waited: since it was accepted or, for kind none, since it was due.",
    ),
    ...queues.map((queue) => series(age, { kind: queue.kind }, ageOf(queue.oldestAt, now))),
  ].join("");
}

function renderReach(name: string, { kind, up, down }: { kind: string; up: number; down: number }): string {
  return tally(name, "state", { up, down }, { kind });
}

const atMost = `${MOST_COUNTED} means ${MOST_COUNTED} or more.`;

/** Renders a gauge whose count stops at a limit. */
function counted(name: string, help: string, value: number): string {
  return gauge(name, `${help} ${atMost}`, value);
}

function renderLog({ pages, moved }: CheckpointFound): string {
  return [
    gauge("msgd_log_bytes", "Size of the database's log since its last restart.", pages * PAGE_BYTES),
    gauge(
      "msgd_log_unmoved_bytes",
      "Part of the log that the last checkpoint did not move.",
      (pages - moved) * PAGE_BYTES,
    ),
  ].join("");
}

function renderLoopDelay(delay: LoopDelay): string {
  const name = "msgd_event_loop_delay_seconds";
  const lines = [
    describe(name, "summary", "Delay of the event loop since the last scrape."),
    ...[50, 99].map((percent) => series(name, { quantile: `0.${percent}` }, seconds(delay.percentile(percent)))),
    gauge(
      "msgd_event_loop_delay_max_seconds",
      "Longest delay of the event loop since the last scrape.",
      seconds(delay.max),
    ),
    gauge(
      "msgd_event_loop_longest_turn_seconds",
      "Longest turn of the event loop in the last minute, without the time that it slept.",
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
    describe(cpu, "counter", "CPU time of the process, all threads together."),
    series(cpu, {}, (user + system) / 1e6),
    gauge("process_resident_memory_bytes", "Resident memory of the process.", process.memoryUsage.rss()),
    gauge("process_start_time_seconds", "Start time of the process, in seconds since the epoch.", startedAt),
  ].join("");
}
