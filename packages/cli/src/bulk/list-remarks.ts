/** Remarks before a run about rows that are valid but may be unintended. */
import { formatCount, formatRowCount } from "../output/text/quantities.ts";
import type { BulkJob } from "./bulk-job.ts";
import type { CheckedList } from "./list/checked-list.ts";
import type { SourceFile } from "./list/source-file.ts";

export function remarkOn({ equalCount, braces }: CheckedList, source: SourceFile, { verb }: BulkJob): string[] {
  const remarks: string[] = [];
  if (source.isCutPipe)
    remarks.push(`${source.name} ends in the middle of a line: the program that writes it may have stopped early.`);
  if (equalCount > 0) {
    const say = equalCount === 1 ? "1 row says" : `${formatCount(equalCount)} rows say`;
    remarks.push(`${say} the same as an earlier one: each is ${verb}.`);
  }
  if (braces !== undefined) {
    const have = braces.count === 1 ? "1 row has" : `${formatRowCount(braces.count)} have`;
    remarks.push(
      `${have} ${braces.text} in a cell, the first in line ${braces.line}: it is ${verb} as it is. Only the text of a --set is filled in from columns.`,
    );
  }
  return remarks;
}
