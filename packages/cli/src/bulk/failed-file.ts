/** Writes the rows that the service refused to a CSV file that can be corrected and run. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname } from "node:path";
import { harmless, quoted } from "../output/csv/csv-field.ts";
import { printable } from "../output/printable.ts";
import type { Journal } from "./journal/journal.ts";
import type { RawRow } from "./list/checked-list.ts";
import type { CsvForm } from "./list/csv-rows.ts";
import { FAILURE_COLUMNS, isFailureColumn } from "./list/mapping.ts";

export interface FailedRows {
  /** The rows of the source, starting with the header. */
  rows: AsyncIterable<RawRow>;
  isKept(id: string): boolean;
  /** Format of the source. */
  form: CsvForm;
  journal: Journal;
  /** Whether msgctl wrote a file with this hash at this path, so that it may be replaced. */
  isOwn(path: string, sha256: string): boolean;
  /** Returns the candidate path with this number, from 1. */
  pathOf(place: number): string;
}

/** Maximum number of candidate paths to try. */
const MOST_FILES = 1_000;

/**
 * Atomically writes the rows that are still failed to a file that only its owner can read. It has the columns of the source,
 * then error code and message, escaped so that no spreadsheet runs a cell as a formula. Replaces an existing file only if
 * msgctl wrote it and nobody has changed it. Uses the source's CSV format, so that the same program opens it. Returns its path.
 */
export async function writeFailedFile(failed: FailedRows): Promise<string> {
  const { journal, isOwn, pathOf } = failed;
  // Named after the journal's folder, so that the next run of the list replaces the partial file of a killed run.
  const partial = `${pathOf(1)}.${basename(dirname(journal.path))}.partial`;
  try {
    rmSync(partial, { force: true });
    const sha256 = await writeRows(partial, failed);
    const path = findPath(pathOf, (taken) => {
      const found = hashFile(taken);
      return found === sha256 || isOwn(taken, found);
    });
    // recorded before the file exists: an unrecorded file would be taken for the user's and never replaced
    journal.noteFailedFile(path, sha256);
    renameSync(partial, path);
    return path;
  } finally {
    rmSync(partial, { force: true });
  }
}

function findPath(pathOf: (place: number) => string, isOurs: (path: string) => boolean): string {
  for (let place = 1; place <= MOST_FILES; place += 1) {
    const path = pathOf(place);
    if (!existsSync(path) || isOurs(path)) return path;
  }
  throw new Error(`${MOST_FILES} files such as ${pathOf(1)} already exist`);
}

async function writeRows(path: string, { rows, isKept, form, journal }: FailedRows): Promise<string> {
  const hash = createHash("sha256");
  const file = openSync(path, "wx", 0o600);
  const write = (cells: readonly string[]) => writeText(`${csvLine(cells, form.separator)}\n`);
  const writeText = (text: string) => {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written, bytes.length - written);
  };
  try {
    if (form.hasMark) writeText("\uFEFF");
    if (form.isNamed) writeText(`sep=${form.separator}\n`);
    let kept: number[] = [];
    for await (const { id, cells } of rows) {
      // drop the failure columns of an earlier file of failed rows
      if (id === undefined) kept = cells.flatMap((name, column) => (isFailureColumn(name) ? [] : [column]));
      const own = kept.map((column) => cells[column] ?? "");
      if (id === undefined) {
        write([...own, ...FAILURE_COLUMNS]);
        continue;
      }
      const failure = isKept(id) ? journal.readFailure(id) : undefined;
      if (failure === undefined) continue;
      write([...own, printable(failure.code), printable(failure.message)]);
    }
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

function hashFile(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function csvLine(cells: readonly string[], separator: string): string {
  return cells.map((cell) => quoted(harmless(cell), separator)).join(separator);
}
