/** What a run has found, for a reader. */
import { printable } from "../../../packages/cli/src/output/printable.ts";
import type { Conformance, Outcome, Violation } from "../checks.ts";

const MARKS = { reached: "ok", "not reachable": "-", "not asked": "?", violation: "BAD" } as const;
const LINE_CHARACTERS = 80;

/** Operations against the statuses that the contract documents, why some were not reached, and every violation. */
export function printReport(found: Conformance): string {
  const { outcomes, violations } = found;
  return [
    ...tableOf(outcomes),
    "",
    "ok: reached   -: not reachable   ?: not asked   BAD: violation   blank: not",
    "documented   2xx: the success   5xx: the server's own faults",
    ...reasonsOf(outcomes),
    ...violations.flatMap(linesOf),
    "",
    summaryOf(found),
    "",
  ].join("\n");
}

/** Of the success, and of faults of the server's own, each operation has one or none that a check can reach. */
function columnOf({ status }: Outcome): string {
  return status < 300 ? "2xx" : status >= 500 ? "5xx" : String(status);
}

function tableOf(outcomes: readonly Outcome[]): string[] {
  const columns = [...new Set(outcomes.map(columnOf))].sort();
  const ids = [...new Set(outcomes.map(({ operationId }) => operationId))];
  const width = Math.max("OPERATION".length, ...ids.map((id) => id.length));
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(3))].join(" ").trimEnd();
  const rows = ids.map((id) => {
    const own = outcomes.filter(({ operationId }) => operationId === id);
    return line(
      id,
      columns.map((column) => markOf(own.filter((outcome) => columnOf(outcome) === column))),
    );
  });
  return [line("OPERATION", columns), ...rows];
}

/** The worst of a status' codes, except that one which is out of reach takes nothing from another that was reached. */
function markOf(outcomes: readonly Outcome[]): string {
  const results = new Set(outcomes.map(({ result }) => result));
  for (const result of ["violation", "reached", "not asked", "not reachable"] as const)
    if (results.has(result)) return MARKS[result];
  return "";
}

/** Reasons with the codes and operations that each is about. */
function reasonsOf(outcomes: readonly Outcome[]): string[] {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    if (outcome.result !== "not reachable" && outcome.result !== "not asked") continue;
    const reason = outcome.reason ?? "";
    groups.set(reason, [...(groups.get(reason) ?? []), outcome]);
  }
  if (groups.size === 0) return [];
  const lines = [...groups].flatMap(([reason, group]) => {
    const codes = countOr(3, "codes", [...new Set(group.map(({ code, status }) => code ?? String(status)))]);
    const names = countOr(3, "operations", [...new Set(group.map(({ operationId }) => operationId))]);
    return wrap(printable(`${codes} of ${names}: ${reason}`), "  ");
  });
  return ["", "Not reached:", ...lines];
}

function countOr(most: number, noun: string, names: readonly string[]): string {
  return names.length > most ? `${names.length} ${noun}` : names.join(", ");
}

/** Lines of at most 80 characters where the words allow it; the following ones are indented further. */
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

/** Each on one line, for a search; what is allowed is on several. */
function linesOf({ operationId, request, fault, received, allowed, times }: Violation): string[] {
  return [
    "",
    printable(`VIOLATION ${operationId}: ${fault}${times > 1 ? ` (${times} times)` : ""}`),
    printable(`  request   ${request}`),
    printable(`  received  ${received}`),
    ...wrap(printable(`allowed   ${allowed}`), "  "),
  ];
}

export function summaryOf({ outcomes, violations, requests, ended }: Conformance): string {
  const count = (result: Outcome["result"]) => outcomes.filter((outcome) => outcome.result === result).length;
  const found = violations.length === 1 ? "1 violation" : `${violations.length || "no"} violations`;
  return [
    `${found}; ${count("reached")} of ${outcomes.length} documented replies reached`,
    ...(count("not asked") === 0 ? [] : [`${count("not asked")} not asked`]),
    `${requests} requests`,
    ...(ended === null ? [] : [`not finished: ${ended}`]),
  ].join("; ");
}
