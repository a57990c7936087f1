// SQL of counters that all messages of a merchant or a tenant change: the usage of a quota, and daily totals. Parameters of texts
// about usage begin with its key, `$1` to `$4`: tenant, merchant, channel and period.

import { type Engine, perEngine } from "../statement.ts";
import { postgresCounters } from "./postgres.ts";
import { sqliteCounters } from "./sqlite.ts";

/** An engine's counters, as SQL. */
export interface CounterTexts {
  /** Columns of a row beside its key and counts, each followed by a comma. */
  readonly rowColumns: string;
  /** Columns of the primary key after the key, each after a comma. */
  readonly rowKey: string;
  /** Joins as `u` the usage of `quotas q` in a period. */
  readonly joinUsage: (period: string) => string;
  /** Adds `$5` to the reserved units, and `$6` to those that credits pay for. */
  readonly reserve: string;
  /** Turns `$5` reserved units into used ones; not if then `$6` or more are used, or the quota's limit is not `$7`. */
  readonly settle: string;
  /** Releases `$5` reserved units, and returns the fields of `ReleasedUsage`. */
  readonly release: string;
  /** Releases `$5` reserved units of a period of which credits paid nothing. */
  readonly releaseUnpaid: string;
  /** Takes `$5` off the units that credits pay. */
  readonly returnCredits: string;
  /** Adds `$4`, `$5` and `$6` to the units, costs and markup of tenant `$1` on day `$2` in channel `$3`. */
  readonly addToDay: string;
}

/** The counters of each engine. */
export const counters: Readonly<Record<Engine, CounterTexts>> = { sqlite: sqliteCounters, postgres: postgresCounters };

/** A text about quotas and their usage, for each engine. */
export function toUsageText(write: (joinUsage: CounterTexts["joinUsage"]) => string) {
  return perEngine(counters, ({ joinUsage }) => write(joinUsage));
}

/** A text that changes counters, for each engine. */
export function counterText(name: Exclude<keyof CounterTexts, "joinUsage" | "rowColumns" | "rowKey">) {
  return perEngine(counters, (texts) => texts[name]);
}
