/** Formats a plan for people and for programs. Pure. */

import { compactJson } from "../../output/json/json.ts";
import { printable } from "../../output/printable.ts";
import { cell } from "../../output/table/cell.ts";
import type { Style } from "../../output/text/style.ts";
import { displayWidth, pad, truncate } from "../../output/text/width.ts";
import { wrap } from "../../output/text/wrap.ts";
import type { Plan } from "./plan.ts";
import { type Action, type Change, isOpen, type Step } from "./step.ts";

export interface PlanLayout {
  style: Style;
  /** Width of the terminal in columns; undefined without a terminal, when no text is truncated. */
  width: number | undefined;
}

interface Sign {
  mark: string;
  colour: "green" | "yellow" | "dim" | "red";
  /** The words for an action in the totals at the end. */
  counted: string;
}

const SIGNS: Readonly<Record<Action, Sign>> = {
  create: { mark: "+", colour: "green", counted: "to create" },
  change: { mark: "~", colour: "yellow", counted: "to change" },
  blocked: { mark: "!", colour: "red", counted: "not possible yet" },
  unknown: { mark: "?", colour: "dim", counted: "not known" },
  nothing: { mark: " ", colour: "dim", counted: "unchanged" },
};

/** Formats every step with its changes, and the totals. */
export function planText({ steps }: Plan, layout: PlanLayout): string {
  const lines = steps.flatMap((step) => stepLines(step, layout));
  return [...lines, "", `${formatCounts(steps)}.`].map((line) => `${line}\n`).join("");
}

/** Formats the totals: `2 to create, 1 unchanged`. */
export function formatCounts(steps: readonly Step[]): string {
  const parts = Object.entries(SIGNS).map(([action, { counted }]) => {
    const count = steps.filter((step) => step.action === action).length;
    return count === 0 ? "" : `${count} ${counted}`;
  });
  return parts.filter((part) => part !== "").join(", ");
}

/** Formats a step on one line: `~ campaign bright-campaign-1 (id 401, ACTIVE)`. */
export function stepTitle(step: Step, style: Style): string {
  const { mark, colour } = SIGNS[step.action];
  return style[colour](`${mark} ${formatTitle(step)}${formatState(step)}`);
}

/** Formats the title of a step: `campaign bright-campaign-1`. */
export function formatTitle({ kind, name }: Pick<Step, "kind" | "name">): string {
  return printable(kind === "assignment" ? `assign ${name}` : `${kind} ${name}`);
}

function formatState({ kind, view, action }: Step): string {
  if (view === undefined) return "";
  const state = kind === "number" || kind === "assignment" ? view.assignmentStatus : view.status;
  const remark = action === "unknown" ? "; the service does not return the other values of the file" : "";
  return printable(` (id ${view.id}, ${String(state)}${remark})`);
}

function stepLines(step: Step, layout: PlanLayout): string[] {
  const { style, width } = layout;
  // the title of an assignment already names the campaign
  const isTitled = step.kind === "assignment" && step.action === "create";
  const shown = isOpen(step) && !isTitled ? step.changes : [];
  const nameWidth = Math.max(0, ...shown.map(({ field }) => displayWidth(field)));
  const remarks = step.remarks.flatMap((remark) => {
    const line = printable(`    (${remark})`);
    return width === undefined ? [line] : wrap(line, width, "    ");
  });
  return [
    stepTitle(step, style),
    ...shown.flatMap((change) => changeLines(change, step, nameWidth, layout)),
    ...remarks.map((line) => style.dim(line)),
  ];
}

function changeLines(change: Change, { action }: Step, nameWidth: number, { style, width }: PlanLayout): string[] {
  const { field, isHidden } = change;
  const name = `    ${pad(printable(field), nameWidth)}  `;
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(10, width - displayWidth(name));
  const to = valueText(change.to, change);
  const isNew = action === "create" || change.from === null || isHidden;
  if (isNew) return [`${style.dim(name)}${style.green(truncate(to, room))}`];
  const from = valueText(change.from, change);
  if (displayWidth(from) + displayWidth(to) + 3 <= room) {
    return [`${style.dim(name)}${style.red(from)} → ${style.green(to)}`];
  }
  const start = findDifference(from, to, room - 2);
  const cut = (text: string) => truncate(start === 0 ? text : `…${text.slice(start)}`, room - 2);
  const below = " ".repeat(displayWidth(name));
  return [`${style.dim(name)}${style.red(`- ${cut(from)}`)}`, `${below}${style.green(`+ ${cut(to)}`)}`];
}

function valueText(value: unknown, { isHidden }: Change): string {
  if (isHidden) return `(${String(value).length} characters)`;
  return printable(Array.isArray(value) ? compactJson(value) : cell(value));
}

/** Returns the position from which to show two long texts, so that the first difference is visible in its context. */
function findDifference(a: string, b: string, room: number): number {
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same += 1;
  if (same < room - 10) return 0;
  const start = Math.max(0, Math.min(same - 20, Math.max(a.length, b.length) - room + 1));
  // do not cut between the halves of a surrogate pair
  return /[\udc00-\udfff]/.test(a[start] ?? "") ? start - 1 : start;
}
