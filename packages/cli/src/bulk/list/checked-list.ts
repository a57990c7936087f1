/** Checks a whole list against the contract before anything is sent, and reads its rows as bodies. */
import { createHash, type Hash } from "node:crypto";
import { CliError, type Fault, UsageError } from "../../failures/errors.ts";
import type { OperationRecord } from "../../model/record.ts";
import { asBefore } from "../../output/csv/csv-field.ts";
import { formatCount, formatRowCount } from "../../output/text/quantities.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { RowBody } from "../bulk-job.ts";
import { type CsvRow, readCsv } from "./csv-rows.ts";
import { fieldName, findRowIds, type Mapping, type MappingFlags, requireMapping } from "./mapping.ts";
import { readRow } from "./read-row.ts";
import { RowIds } from "./row-ids.ts";
import type { SourceFile } from "./source-file.ts";

export interface ListRow {
  /** Position among the rows of its list, from 0, not counting the header. */
  index: number;
  /** Of the file, from 1. */
  line: number;
  body: RowBody;
}

export interface CheckedList {
  rowCount: number;
  /** SHA-256 over the content and its mapping: it differs if either differs. */
  hash: string;
  /** For a file of failed rows, the key of the list they belong to. */
  partOf: string | undefined;
  /** Whether the command line sets the field for all rows, so that no row has its own. */
  isOfAll(field: string): boolean;
  /** Whether the file contains the row with this index in its list. */
  has(index: number): boolean;
  /** Starts from the first row each time. */
  rows(isWanted: (index: number) => boolean): AsyncGenerator<ListRow, void, undefined>;
  /** The rows as they are in the file, starting with the header, which has no index. */
  rawRows(): AsyncGenerator<RawRow, void, undefined>;
}

export interface RawRow extends CsvRow {
  index: number | undefined;
}

/** How many wrong rows are listed individually. */
const MOST_SHOWN_ROWS = 50;

/** Reads the whole file once. @throws {CliError} With every fault of the mapping, else of the first 50 wrong rows. */
export async function checkList(
  source: SourceFile,
  record: OperationRecord,
  flags: MappingFlags,
): Promise<CheckedList> {
  const content = createHash("sha256");
  const shownFaults: Fault[] = [];
  let mapping: Mapping | undefined;
  let idColumn: number | undefined;
  const ids = new RowIds(record.operationId);
  let rowCount = 0;
  let wrongCount = 0;
  for await (const { line, cells } of readList(hashed(source.chunks(), content))) {
    if (mapping === undefined) {
      mapping = requireMapping(cells, record, flags);
      idColumn = findRowIds(cells);
      continue;
    }
    rowCount += 1;
    const { faults } = readRow(cells, mapping, record);
    const wrongId = idColumn === undefined ? undefined : ids.take(cells[idColumn] ?? "", line);
    if (wrongId !== undefined) faults.push(wrongId);
    if (faults.length === 0) continue;
    wrongCount += 1;
    if (wrongCount > MOST_SHOWN_ROWS) continue;
    for (const { where, message } of faults)
      shownFaults.push({ where: `line ${line}${where && `, ${where}`}`, message });
  }
  if (mapping === undefined || rowCount === 0) {
    throw new UsageError(`${source.name} holds no rows; nothing was sent`, [
      "The first line names the columns, each further line is a row.",
    ]);
  }
  if (wrongCount > 0) throw wrongRows(wrongCount, rowCount, shownFaults);
  const rows = idColumn === undefined ? undefined : ids;
  return createList(source, record, { mapping, rowCount, content: content.digest("hex"), ids: rows });
}

interface Checked {
  mapping: Mapping;
  rowCount: number;
  /** SHA-256 of the file. */
  content: string;
  /** The ids in a file of failed rows; undefined for a list made by the user, whose rows count from 0. */
  ids: RowIds | undefined;
}

function createList(
  source: SourceFile,
  record: OperationRecord,
  { mapping, rowCount, content, ids }: Checked,
): CheckedList {
  const findIndex = (place: number) => (ids === undefined ? place : (ids.rows[place] ?? -1));
  async function* rawRows(): AsyncGenerator<RawRow, void, undefined> {
    let place = -1;
    for await (const row of readList(source.chunks())) {
      yield { ...row, index: place === -1 ? undefined : findIndex(place) };
      place += 1;
    }
  }
  return {
    rowCount,
    hash: hashList(content, record, mapping),
    partOf: ids?.listKey,
    isOfAll: (field) => [...mapping.constants.keys()].some((input) => fieldName(input) === field),
    has: (index) => (ids === undefined ? index < rowCount : ids.has(index)),
    async *rows(isWanted) {
      for await (const { index, line, cells } of rawRows()) {
        if (index !== undefined && isWanted(index)) yield { index, line, body: readRow(cells, mapping, record).body };
      }
    },
    rawRows,
  };
}

/** Reads the rows; in a file of failed rows, undoes the escaping of cells for spreadsheets. */
async function* readList(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow, void, undefined> {
  let isOurs: boolean | undefined;
  for await (const row of readCsv(chunks)) {
    isOurs ??= findRowIds(row.cells) !== undefined;
    yield isOurs ? { ...row, cells: row.cells.map(asBefore) } : row;
  }
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

function wrongRows(wrongCount: number, rowCount: number, faults: readonly Fault[]): CliError {
  const message = `${formatCount(wrongCount)} of ${formatRowCount(rowCount)} ${wrongCount === 1 ? "is" : "are"} not valid; nothing was sent`;
  const hints =
    wrongCount > MOST_SHOWN_ROWS
      ? [`The first ${MOST_SHOWN_ROWS} are shown; ${formatCount(wrongCount - MOST_SHOWN_ROWS)} more are wrong.`]
      : [];
  return new CliError(EXIT.usage, "invalid_input", message, { faults, hints });
}

function hashList(content: string, { operationId }: OperationRecord, { columns, constants }: Mapping): string {
  const made = {
    content,
    operationId,
    columns: columns.map((input) => (input === undefined ? null : fieldName(input))),
    constants: [...constants].map(([input, text]) => [fieldName(input), text]).sort(),
  };
  return createHash("sha256").update(JSON.stringify(made)).digest("hex");
}
