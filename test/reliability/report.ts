// Prints the results of rounds as a table.

import type { CarrierResult } from "./carrier-rounds.ts";
import { type Comparison, findFaults } from "./comparison.ts";
import type { LoadReport } from "./load.ts";

type Row = readonly [string, string | number];

export interface Report {
  /** Results by kind of round. */
  readonly results: Readonly<Record<string, LoadReport & Comparison>>;
  /** Other faults, by the label of their row. */
  readonly others: Readonly<Record<string, readonly string[]>>;
  /** Numbers of disturbances. */
  readonly done: readonly Row[];
  readonly times: readonly Row[];
}

/** Kinds of fault that any round may find, with the label of their row. */
const faultRows = {
  lost: "lost",
  surplus: "not asked for",
  confused: "keys with two answers",
  doubled: "sent twice",
  misreported: "ledger says otherwise",
  stuck: "never settled",
  drift: "quota drift",
  unbalanced: "batches out of balance",
  denied: "reported undone, but done",
  surprises: "unexpected replies",
} as const;

/** Prints the table and all faults. Returns whether there are none. */
export function printReport({ results, others, done, times }: Report, print: (line: string) => void): boolean {
  const faults = { ...gatherFaults(results), ...others };
  const rows: Row[] = [
    ...done,
    ["acknowledged", listCounts(sumAcknowledged(results))],
    ...Object.entries(faults).map(([name, found]): Row => [name, found.length]),
    ...times,
    ["not tried", [...new Set(Object.values(results).flatMap(({ unsupported }) => unsupported))].join(", ") || "-"],
  ];
  for (const [name, value] of rows) print(`${name.padEnd(28)}${value}`);
  const wrong = Object.entries(faults).filter(([, found]) => found.length > 0);
  for (const [name, found] of wrong) print(`\n${name}:\n  ${found.slice(0, 20).join("\n  ")}`);
  return wrong.length === 0;
}

/** Faults of texts that a carrier counted, by the label of their row. */
export function gatherCarried(results: Readonly<Record<string, CarrierResult>>): Record<string, string[]> {
  const gather = (list: (result: CarrierResult) => readonly string[]) =>
    Object.entries(results).flatMap(([kind, result]) => list(result).map((what) => `${kind}: ${what}`));
  return {
    "texts taken twice": gather(({ doubled }) => doubled),
    "texts lost": gather(({ lost }) => lost),
    "texts reported, not sent": gather(({ claimed }) => claimed),
    "texts never settled": gather(({ stuck }) => stuck),
    "texts with a lost outcome": gather(({ untold }) => untold),
    "texts given up unduly": gather(({ unsentUnduly }) => unsentUnduly),
  };
}

/** Formats counts: `90 acknowledged, 10 of them gone, 70 taken, 20 unknown`. */
export function describeCarried({ acknowledged, gone, taken, unknown }: CarrierResult): string {
  return listCounts({ acknowledged, "of them gone": gone, taken, unknown });
}

/** Formats counts: `3 killed, 2 restored`. */
export function listCounts(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ");
}

/** Formats durations: `median 12 ms, longest 40 ms`. */
export function describeTimes(timesMs: readonly number[]): string {
  const sorted = [...timesMs].sort((one, other) => one - other);
  const at = (portion: number) => sorted[Math.min(sorted.length - 1, Math.floor(portion * sorted.length))] ?? 0;
  return `median ${at(0.5).toFixed(0)} ms, longest ${at(1).toFixed(0)} ms`;
}

/** Collects the faults, each with the kind of round that found it. */
function gatherFaults(results: Report["results"]): Record<string, string[]> {
  const faults: Record<string, string[]> = {};
  for (const [fault, name] of Object.entries(faultRows)) {
    faults[name] = Object.entries(results).flatMap(([kind, result]) => {
      const { surprises, denied } = result;
      const found: Record<string, readonly string[]> = { ...findFaults(result), surprises, denied };
      return (found[fault] ?? []).map((what) => `${kind}: ${what}`);
    });
  }
  return faults;
}

function sumAcknowledged(results: Report["results"]): Record<string, number> {
  const acknowledged: Record<string, number> = {};
  for (const result of Object.values(results)) {
    for (const [kind, actions] of Object.entries(result.acknowledged)) {
      acknowledged[kind] = (acknowledged[kind] ?? 0) + actions;
    }
  }
  return acknowledged;
}
