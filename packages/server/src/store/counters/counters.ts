// SQL of the counters that every message of a merchant or tenant changes: quota usage and daily totals. The first
// parameters of a usage statement are its key, `$1` to `$4`: tenant, merchant, channel and period.

import { type Engine, perEngine } from "../statement.ts";
import { postgresCounters } from "./postgres.ts";
import { sqliteCounters } from "./sqlite.ts";

/** SQL fragments and statements of one engine's counters. */
export interface CounterTexts {
  /** Definitions of a row's columns other than its key and counts, each followed by a comma. */
  readonly rowColumns: string;
  /** Further columns of the primary key, each preceded by a comma. */
  readonly rowKey: string;
  /** Joins as `u` the usage of `quotas q` in a period. */
  readonly joinUsage: (period: string) => string;
  /** Adds `$5` to the reserved units, and `$6` to the units that credits pay for. */
  readonly reserve: string;
  /** Turns `$5` reserved units into used ones, unless that would bring usage to `$6` or more or the limit is not `$7`. */
  readonly settle: string;
  /** Releases `$5` reserved units, and returns the fields of `ReleasedUsage`. */
  readonly release: string;
  /** Releases `$5` reserved units of a period in which credits paid for nothing. */
  readonly releaseUnpaid: string;
  /** Subtracts `$5` from the units that credits pay for. */
  readonly returnCredits: string;
  /** Adds `$4`, `$5` and `$6` to the units, costs and markup of tenant `$1` on day `$2` in channel `$3`. */
  readonly addToDay: string;
}

/** The counters of each engine. */
export const counters: Readonly<Record<Engine, CounterTexts>> = { sqlite: sqliteCounters, postgres: postgresCounters };

/** Writes a statement about quotas and their usage for each engine. */
export function toUsageText(write: (joinUsage: CounterTexts["joinUsage"]) => string) {
  return perEngine(counters, ({ joinUsage }) => write(joinUsage));
}

/** Returns each engine's statement of this name. */
export function counterText(name: Exclude<keyof CounterTexts, "joinUsage" | "rowColumns" | "rowKey">) {
  return perEngine(counters, (texts) => texts[name]);
}
