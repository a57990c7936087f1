/** The findings of a run, for a reader. */

import type { Conformance, Outcome } from "../check-conformance.ts";
import type { Violation } from "../target/watch.ts";
import { printable } from "./printable.ts";

const MARKS = { reached: "ok", kept: "ok", "not reachable": "-", "not asked": "?", violation: "BAD" } as const;
type Result = keyof typeof MARKS;
/** A cell of the table shows the first of these results that any of its outcomes has. */
const BY_WEIGHT: readonly Result[] = ["violation", "reached", "kept", "not asked", "not reachable"];
const LINE_CHARACTERS = 80;

/** A table of operations by documented status and by promise, and every violation. */
export function printReport(found: Conformance): string {
  const { outcomes, promises, violations } = found;
  return [
    ...tableOf(outcomes, columnOf),
    "",
    "ok: reached   -: not reachable   ?: not asked   BAD: violation   blank: not",
    "documented   2xx: the success   5xx: the server's own faults",
    "",
    ...tableOf(promises, ({ kind }) => kind),
    "",
    "ok: kept   -: unknown   repeats: of a call with the same key   limits: of fields",
    "tenants, merchants: kept apart   reads: of what was written",
    ...reasonsOf(found),
    ...violations.flatMap(linesOf),
    "",
    ...wrap(summaryOf(found), ""),
    "",
  ].join("\n");
}

/** Each operation has at most one success and at most one server fault that a check can reach. */
function columnOf({ status }: Outcome): string {
  return status < 300 ? "2xx" : status >= 500 ? "5xx" : String(status);
}

interface Entry {
  readonly operationId: string;
  readonly result: Result;
}

function tableOf<Each extends Entry>(entries: readonly Each[], columnOf: (entry: Each) => string): string[] {
  const columns = [...new Set(entries.map(columnOf))].sort();
  const ids = [...new Set(entries.map(({ operationId }) => operationId))];
  const width = Math.max("OPERATION".length, ...ids.map((id) => id.length));
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map((cell, index) => cell.padStart(columns[index]?.length ?? 0))].join(" ").trimEnd();
  const rows = ids.map((id) => {
    const own = entries.filter(({ operationId }) => operationId === id);
    return line(
      id,
      columns.map((column) => markOf(own.filter((entry) => columnOf(entry) === column))),
    );
  });
  return [line("OPERATION", columns), ...rows];
}

function markOf(entries: readonly Entry[]): string {
  const worst = BY_WEIGHT.find((result) => entries.some((entry) => entry.result === result));
  return worst === undefined ? "" : MARKS[worst];
}

/** Formats why replies and promises were not reached: each reason, with the codes or promises and operations it affects. */
function reasonsOf({ outcomes, promises }: Conformance): string[] {
  const unknown = [
    ...outcomes.map(({ code, status, ...outcome }) => ({ ...outcome, what: code ?? String(status) })),
    ...promises.map(({ kind, ...outcome }) => ({ ...outcome, what: kind })),
  ].filter(({ result }) => result === "not reachable" || result === "not asked");
  const groups = new Map<string, typeof unknown>();
  for (const entry of unknown) groups.set(entry.reason ?? "", [...(groups.get(entry.reason ?? "") ?? []), entry]);
  if (groups.size === 0) return [];
  const lines = [...groups].flatMap(([reason, group]) => {
    const whats = countOr(3, "codes", [...new Set(group.map(({ what }) => what))]);
    const names = countOr(3, "operations", [...new Set(group.map(({ operationId }) => operationId))]);
    return wrap(printable(`${whats} of ${names}: ${reason}`), "  ");
  });
  return ["", "Not reached:", ...lines];
}

function countOr(most: number, noun: string, names: readonly string[]): string {
  return names.length > most ? `${names.length} ${noun}` : names.join(", ");
}

/** Wraps to lines of at most 80 characters if the words allow it; continuation lines are indented further. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(" ")) {
    if (line.trim() !== "" && line.length + 1 + word.length > LINE_CHARACTERS) {
      lines.push(line);
      line = `${indent}  `;
    }
    line += line.trim() === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** Formats a violation. Each part is on one line, so that it can be searched for; the allowed replies may take several. */
function linesOf({ operationId, request, fault, received, allowed, times }: Violation): string[] {
  return [
    "",
    printable(`VIOLATION ${operationId}: ${fault}${times > 1 ? ` (${times} times)` : ""}`),
    printable(`  request   ${request}`),
    printable(`  received  ${received}`),
    ...wrap(printable(`allowed   ${allowed}`), "  "),
  ];
}

export function summaryOf({ outcomes, promises, violations, requests, ended }: Conformance): string {
  const count = (entries: readonly Entry[], result: Result) => entries.filter((each) => each.result === result).length;
  const found = violations.length === 1 ? "1 violation" : `${violations.length || "no"} violations`;
  const notAsked = count(outcomes, "not asked") + count(promises, "not asked");
  return [
    `${found}; ${count(outcomes, "reached")} of ${outcomes.length} documented replies reached`,
    `${count(promises, "kept")} of ${promises.length} promises kept`,
    ...(notAsked === 0 ? [] : [`${notAsked} not asked`]),
    `${requests} requests`,
    ...(ended === null ? [] : [`not finished: ${ended}`]),
  ].join("; ");
}
