/** The rows that the service refused, in a CSV file that can be mended and run. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import type { CsvRow } from "./csv-rows.ts";
import type { Journal } from "./journal.ts";
import { FAILURE_COLUMNS } from "./mapping.ts";

/**
 * Writes it whole or not at all, for its owner alone: the columns of the source, then code and message.
 *
 * @param rows - The source, its header first.
 */
export async function writeFailedFile(path: string, rows: AsyncIterable<CsvRow>, journal: Journal): Promise<void> {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  const file = openSync(partial, "wx", 0o600);
  try {
    let index = -1;
    let kept: number[] = [];
    for await (const { cells } of rows) {
      const own = () => kept.map((column) => cells[column] ?? "");
      if (index === -1) {
        // The columns of an earlier file of failed rows make way for those of this one.
        kept = cells.flatMap((name, column) => (FAILURE_COLUMNS.includes(name) ? [] : [column]));
        writeSync(file, csvLine([...own(), ...FAILURE_COLUMNS]));
      } else {
        const failure = journal.failureOf(index);
        if (failure !== undefined) writeSync(file, csvLine([...own(), failure.code, failure.message]));
      }
      index += 1;
    }
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
}

function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\n`;
}
