/** Classifies a list's rows by what earlier runs did with them, and asks what to do about rows that were sent. */
import { CliError } from "../failures/errors.ts";
import type { GlobalOptions } from "../flags/global-options.ts";
import { formatMoment } from "../output/text/moments.ts";
import { formatCount, formatRowCount } from "../output/text/quantities.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Io } from "../process/io.ts";
import { findAsker } from "./find-asker.ts";
import type { EarlierRuns } from "./journal/earlier-runs.ts";
import type { Journal } from "./journal/journal.ts";
import type { EarlierRows } from "./journal/journal-lines.ts";
import type { CheckedList, ListRow } from "./list/checked-list.ts";

/**
 * `done`: sent by the interrupted run that is resumed. `wentOut`: sent by another run. `hadOther`: another run sent a
 * different text to this recipient, from a list with this name.
 */
export type RowClass = "new" | "done" | "wentOut" | "hadOther";

export interface RowPlan {
  classOf(row: ListRow): RowClass;
  /** Whether another run sent the row and the resumed run did not. */
  wentOut(id: string): boolean;
  counts: Readonly<Record<RowClass, number>>;
}

interface Compared {
  list: CheckedList;
  earlier: EarlierRuns;
  /** Journal of the interrupted run that is resumed. */
  journal: Journal | undefined;
  recipientOf(row: ListRow): string | undefined;
}

/** Classifies and counts the rows. Reads the list again only if there are earlier runs to compare it with. */
export async function planRows({ list, earlier, journal, recipientOf }: Compared): Promise<RowPlan> {
  const { wentOut, hadOther } = earlier;
  const elsewhere = new Set([...wentOut.rows].filter((id) => journal?.stateOf(id) !== "done"));
  function classOf(row: ListRow): RowClass {
    if (elsewhere.has(row.id)) return "wentOut";
    if (journal?.stateOf(row.id) === "done") return "done";
    const recipient = hadOther.recipients.size === 0 ? undefined : recipientOf(row);
    return recipient !== undefined && hadOther.recipients.has(recipient) ? "hadOther" : "new";
  }
  const counts = { new: 0, done: 0, wentOut: 0, hadOther: 0 };
  if (journal === undefined && elsewhere.size + hadOther.recipients.size === 0) counts.new = list.rowCount;
  else for await (const row of list.rows(() => true)) counts[classOf(row)] += 1;
  return { classOf, counts, wentOut: (id) => elsewhere.has(id) };
}

interface Undecided {
  plan: RowPlan;
  earlier: EarlierRuns;
  global: GlobalOptions;
  isOnlyNew: boolean;
  io: Io;
}

/**
 * Decides what to do with rows that were sent before: asks, unless a flag decides. Returns undefined if there are none.
 *
 * @throws {CliError} If nobody can be asked, or the answer is to send nothing.
 */
export async function decideEarlierRows(undecided: Undecided): Promise<EarlierRows | undefined> {
  const { plan, global, isOnlyNew, io } = undecided;
  const { counts } = plan;
  if (counts.wentOut + counts.hadOther === 0) return undefined;
  if (isOnlyNew) return "left-out";
  const found = describeEarlierRows(undecided);
  const total = formatCount(countAll(counts));
  const asker = global.yes ? undefined : findAsker(io, global);
  if (asker === undefined) {
    throw new CliError(EXIT.inputNeeded, "sent_before", `${found}; nothing was sent`, {
      hints: [
        ...(counts.new > 0 ? [`Give --only-new to send ${describeNew(counts.new)}.`] : []),
        `Give --run <word> to send all ${total} again on purpose, such as a weekly list with its date.`,
      ],
    });
  }
  const onlyNew = `only ${describeNew(counts.new)}`;
  const all = `all ${total} again`;
  asker.tell(`${found}.`);
  const answer = await asker.choose("Send", [...(counts.new > 0 ? [onlyNew] : []), "nothing", all]);
  if (answer === onlyNew) return "left-out";
  if (answer === all) return "sent-again";
  throw new CliError(EXIT.interrupted, "not_confirmed", "nothing was sent");
}

/** Formats `2,988 of these 3,000 rows went out on 27 November 2026, 16:45; 12 are new`. */
export function describeEarlierRows({ plan, earlier, io }: Pick<Undecided, "plan" | "earlier" | "io">): string {
  const { counts } = plan;
  const { wentOut, hadOther } = earlier;
  const on = (ms: number) => formatMoment(ms, io.zoneOffsetMinutes);
  const rows = formatRowCount(countAll(counts));
  const isAll = counts.wentOut === countAll(counts);
  const some = isAll ? `all ${rows}` : `${formatCount(counts.wentOut)} of these ${rows}`;
  const doubt = wentOut.isCertain ? "" : ", or may have";
  const who = counts.hadOther === 1 ? "1 recipient" : `${formatCount(counts.hadOther)} recipients`;
  const fresh = counts.new === 1 ? "1 is new" : `${counts.new === 0 ? "none" : formatCount(counts.new)} are new`;
  return [
    ...(counts.wentOut > 0 ? [`${some} went out on ${on(wentOut.lastAtMs)}${doubt}`] : []),
    ...(counts.hadOther > 0 ? [`${who} got another text from a list of this name on ${on(hadOther.lastAtMs)}`] : []),
    ...(isAll ? [] : [fresh]),
  ].join("; ");
}

function describeNew(count: number): string {
  return count === 1 ? "the one that is new" : `the ${formatCount(count)} that are new`;
}

function countAll(counts: RowPlan["counts"]): number {
  return counts.new + counts.done + counts.wentOut + counts.hadOther;
}
