/** Checks a whole list against the contract before anything is sent, and reads its rows as bodies. */
import { createHash } from "node:crypto";
import { rowId } from "@msgctl/sdk";
import { CliError, type Fault, UsageError } from "../../failures/errors.ts";
import type { OperationRecord } from "../../model/record.ts";
import { asBefore } from "../../output/csv/csv-field.ts";
import { formatCount, formatRowCount } from "../../output/text/quantities.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { type CsvForm, type CsvRow, readCsv } from "./csv-rows.ts";
import {
  fieldName,
  hasFailureColumns,
  type Mapping,
  type MappingFlags,
  PLACEHOLDER,
  requireMapping,
} from "./mapping.ts";
import { readRow } from "./read-row.ts";
import { digestRow } from "./row-digest.ts";
import type { RowBody, RowKind } from "./row-kind.ts";
import { RowTotaller, type RowTotals } from "./row-totals.ts";
import type { SourceFile } from "./source-file.ts";

export interface ListRow {
  /** Position among the rows of its list, from 0, not counting the header. */
  index: number;
  /** Line of the file, from 1. */
  line: number;
  /** Digest of the row's content, followed by its ordinal (from 0) among equal rows of the list. */
  id: string;
  body: RowBody;
}

export interface CheckedList {
  rowCount: number;
  /** Totals over all rows. */
  totals: RowTotals;
  /** Number of rows that are equal to an earlier one. */
  equalCount: number;
  /** Rows with a placeholder such as `{{name}}` in a cell that is sent: their number, and the first row's line. */
  braces: Braces | undefined;
  /** Format of the file. */
  form: CsvForm;
  /** SHA-256 over the ids of all rows, in file order. */
  digest: string;
  /** Whether the command line sets the field for all rows. */
  isOfAll(field: string): boolean;
  /** Whether a row of the list has this id. */
  has(id: string): boolean;
  /** Iterates over the wanted rows. Each call starts from the first row. */
  rows(isWanted: (row: ListRow) => boolean): AsyncGenerator<ListRow, void, undefined>;
  /** Iterates over the unparsed rows of the file, starting with the header, which has no id. */
  rawRows(): AsyncGenerator<RawRow, void, undefined>;
}

export interface Braces {
  count: number;
  line: number;
  text: string;
}

export interface RawRow extends CsvRow {
  id: string | undefined;
}

/** Maximum number of invalid rows to list individually. */
const MOST_SHOWN_ROWS = 50;

/**
 * Reads the whole file once. Keeps an id for each row in memory, some 100 bytes.
 *
 * @throws {CliError} With every fault of the mapping; if there is none, with the faults of the first 50 invalid rows.
 */
export async function checkList(source: SourceFile, kind: RowKind, flags: MappingFlags): Promise<CheckedList> {
  const { record } = kind;
  const totaller = new RowTotaller(kind);
  let form: CsvForm = { separator: ",", isNamed: false, hasMark: false };
  let braces: Braces | undefined;
  const digest = createHash("sha256");
  const ids = new RowIds();
  const shownFaults: Fault[] = [];
  let mapping: Mapping | undefined;
  let rowCount = 0;
  let wrongCount = 0;
  const onForm = (found: CsvForm) => {
    form = found;
  };
  for await (const { line, cells } of readList(source.chunks(), onForm)) {
    if (mapping === undefined) {
      mapping = requireMapping(cells, kind, flags);
      continue;
    }
    rowCount += 1;
    const { body, faults } = readRow(cells, mapping, record);
    digest.update(ids.add(digestRow(record.operationId, body)));
    if (faults.length === 0) {
      totaller.add(body);
      const text = findPlaceholder(cells, mapping);
      if (text !== undefined) braces = { line, text, ...braces, count: (braces?.count ?? 0) + 1 };
      continue;
    }
    wrongCount += 1;
    if (wrongCount > MOST_SHOWN_ROWS) continue;
    for (const { where, message } of faults)
      shownFaults.push({ where: `line ${line}${where && `, ${where}`}`, message });
  }
  if (mapping === undefined || rowCount === 0) {
    throw new UsageError(`${source.name} holds no rows; nothing was ${kind.verb}`, [
      "Name the columns in the first line, then write one row per line.",
    ]);
  }
  if (wrongCount > 0) throw wrongRows({ wrongCount, rowCount }, shownFaults, kind);
  const { totals } = totaller;
  return createList(source, record, { mapping, ids, rowCount, totals, braces, form, digest: digest.digest("hex") });
}

/** Finds a placeholder in cells that are sent, whether as a field or inside a text of --set. */
function findPlaceholder(cells: readonly string[], { columns, templates }: Mapping): string | undefined {
  const parts = [...templates.values()].flat();
  const sent = cells.filter((_, column) => columns[column] !== undefined || parts.includes(column));
  return sent.map((cell) => PLACEHOLDER.exec(cell)?.[0]).find((text) => text !== undefined);
}

interface Checked extends Pick<CheckedList, "rowCount" | "totals" | "braces" | "form" | "digest"> {
  mapping: Mapping;
  ids: RowIds;
}

function createList(source: SourceFile, record: OperationRecord, { mapping, ids, ...about }: Checked): CheckedList {
  const { constants } = mapping;
  async function* readRows(): AsyncGenerator<{ raw: RawRow; body: RowBody }, void, undefined> {
    const idOf = ids.reader();
    let isHeader = true;
    for await (const row of readList(source.chunks())) {
      if (isHeader) yield { raw: { ...row, id: undefined }, body: {} };
      else {
        const { body } = readRow(row.cells, mapping, record);
        yield { raw: { ...row, id: idOf(digestRow(record.operationId, body)) }, body };
      }
      isHeader = false;
    }
  }
  return {
    ...about,
    equalCount: ids.equalCount,
    isOfAll: (field) => [...constants.keys()].some((input) => fieldName(input) === field),
    has: (id) => ids.has(id),
    async *rows(isWanted) {
      let index = -1;
      for await (const { raw, body } of readRows()) {
        const { line, id } = raw;
        if (id === undefined) continue;
        index += 1;
        const row = { index, line, id, body };
        if (isWanted(row)) yield row;
      }
    },
    async *rawRows() {
      for await (const { raw } of readRows()) yield raw;
    },
  };
}

/** The ids of a list's rows: equal rows are numbered from 0 in order. */
class RowIds {
  readonly #ids = new Set<string>();
  /** Number of rows per digest, for digests that occur more than once. */
  readonly #repeated = new Map<string, number>();

  /** Adds the next row of the list. Returns its id. */
  add(digest: string): string {
    const ordinal = this.#ids.has(rowId(digest, 0)) ? (this.#repeated.get(digest) ?? 1) : 0;
    if (ordinal > 0) this.#repeated.set(digest, ordinal + 1);
    const id = rowId(digest, ordinal);
    this.#ids.add(id);
    return id;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Number of rows that repeat an earlier row. */
  get equalCount(): number {
    let count = 0;
    for (const rows of this.#repeated.values()) count += rows - 1;
    return count;
  }

  /** Returns a function that gives each row's id when the list is read again from the start. */
  reader(): (digest: string) => string {
    const seen = new Map<string, number>();
    return (digest) => {
      const ordinal = seen.get(digest) ?? 0;
      if (this.#repeated.has(digest)) seen.set(digest, ordinal + 1);
      return rowId(digest, ordinal);
    };
  }
}

/** Reads the rows; in a file of failed rows, undoes the escaping of cells for spreadsheets. */
async function* readList(
  chunks: AsyncIterable<Uint8Array>,
  onForm?: (form: CsvForm) => void,
): AsyncGenerator<CsvRow, void, undefined> {
  let isOurs: boolean | undefined;
  for await (const row of readCsv(chunks, onForm)) {
    isOurs ??= hasFailureColumns(row.cells);
    yield isOurs ? { ...row, cells: row.cells.map(asBefore) } : row;
  }
}

function wrongRows(
  { wrongCount, rowCount }: { wrongCount: number; rowCount: number },
  faults: readonly Fault[],
  { verb }: RowKind,
): CliError {
  const message = `${formatCount(wrongCount)} of ${formatRowCount(rowCount)} ${wrongCount === 1 ? "is" : "are"} not valid; nothing was ${verb}`;
  const hints =
    wrongCount > MOST_SHOWN_ROWS
      ? [`The first ${MOST_SHOWN_ROWS} are shown; ${formatCount(wrongCount - MOST_SHOWN_ROWS)} more are wrong.`]
      : [];
  return new CliError(EXIT.usage, "invalid_input", message, { faults, hints });
}
