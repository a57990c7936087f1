/** What a run has found, for a reader. */
import { printable } from "../../../packages/cli/src/output/printable.ts";
import type { Conformance, Outcome, Violation } from "../checks.ts";

const MARKS = { reached: "ok", "not reachable": "-", violation: "BAD" } as const;

/** Operations against the statuses that the contract documents, why some were not reached, and every violation. */
export function printReport({ outcomes, violations, requests }: Conformance): string {
  return [
    ...tableOf(outcomes),
    "",
    "ok: reached   -: not reachable from outside   BAD: violation   blank: not documented",
    ...reasonsOf(outcomes),
    ...violations.flatMap(linesOf),
    "",
    summaryOf({ outcomes, violations, requests }),
    "",
  ].join("\n");
}

function tableOf(outcomes: readonly Outcome[]): string[] {
  const statuses = [...new Set(outcomes.map(({ status }) => status))].sort((one, other) => one - other);
  const ids = [...new Set(outcomes.map(({ operationId }) => operationId))];
  const width = Math.max("OPERATION".length, ...ids.map((id) => id.length));
  const line = (name: string, cells: readonly string[]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(3))].join("  ").trimEnd();
  const rows = ids.map((id) => {
    const own = outcomes.filter(({ operationId }) => operationId === id);
    return line(
      id,
      statuses.map((status) => markOf(own.filter((outcome) => outcome.status === status))),
    );
  });
  return [line("OPERATION", statuses.map(String)), ...rows];
}

/** The worst of a status' codes, except that one which is out of reach takes nothing from another that was reached. */
function markOf(outcomes: readonly Outcome[]): string {
  const results = new Set(outcomes.map(({ result }) => result));
  for (const result of ["violation", "reached", "not reachable"] as const)
    if (results.has(result)) return MARKS[result];
  return "";
}

/** Reasons with the codes and operations that each is about. */
function reasonsOf(outcomes: readonly Outcome[]): string[] {
  const groups = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    if (outcome.result !== "not reachable") continue;
    const key = `${outcome.code ?? outcome.status}: ${outcome.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), outcome]);
  }
  if (groups.size === 0) return [];
  const lines = [...groups].map(([key, group]) => {
    const names = group.map(({ operationId }) => operationId);
    return `  ${printable(key)} (${names.length > 3 ? `${names.length} operations` : names.join(", ")})`;
  });
  return ["", "Not reachable from outside:", ...lines];
}

function linesOf({ operationId, request, fault, received, allowed, times }: Violation): string[] {
  return [
    "",
    printable(`VIOLATION ${operationId}: ${fault}${times > 1 ? ` (${times} times)` : ""}`),
    printable(`  request   ${request}`),
    printable(`  received  ${received}`),
    printable(`  allowed   ${allowed}`),
  ];
}

export function summaryOf({ outcomes, violations, requests }: Conformance): string {
  const reached = outcomes.filter(({ result }) => result === "reached").length;
  const outside = outcomes.filter(({ result }) => result === "not reachable").length;
  const found = violations.length === 1 ? "1 violation" : `${violations.length || "no"} violations`;
  return `${found}; ${reached} of ${outcomes.length} documented replies reached, ${outside} not reachable; ${requests} requests`;
}
