/** Rows of a CSV text, one at a time, each with the line it begins on. */
import { pipeline } from "node:stream";
import type { Info } from "csv-parse";
import { UsageError } from "../errors.ts";

export interface CsvRow {
  /** Of the file, from 1. */
  line: number;
  cells: readonly string[];
}

/** An open quote must not gather the rest of a large file; a row holds an email of 1 MiB at most, its quotes doubled. */
const LONGEST_ROW_CHARACTERS = 4 * 1024 * 1024;

/**
 * Reads no more than a few chunks ahead of whoever takes the rows; the header is the first of them. Quotes, a byte order
 * mark, CRLF and empty lines are understood.
 *
 * @throws {UsageError} For what is not CSV, or not UTF-8.
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow, void, undefined> {
  const { CsvError, parse } = await import("../libraries/csv.ts");
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_ROW_CHARACTERS,
  });
  let fault: unknown;
  let surplus = 0;
  pipeline(utf8(chunks), parser, (error) => {
    fault = error;
  });
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      // Inside quotes the parser counts a line end of Windows as two.
      surplus += countIn(record, "\r\n");
      yield { line: info.lines - surplus - countIn(record, "\n"), cells: record };
    }
  } catch (error) {
    const reason = fault ?? error;
    throw reason instanceof CsvError ? notCsv(reason.message) : reason;
  } finally {
    parser.destroy();
  }
}

function countIn(cells: readonly string[], text: string): number {
  let count = 0;
  for (const cell of cells) if (cell.includes(text)) count += cell.split(text).length - 1;
  return count;
}

/** The same bytes, once they are known to be text: what another encoding makes of a name must not be sent to anyone. */
async function* utf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) {
      decoder.decode(chunk, { stream: true });
      yield chunk;
    }
    decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError("the file is not UTF-8 text; nothing was sent", [
      "Save it as CSV UTF-8, or convert it: `iconv -f WINDOWS-1252 -t UTF-8`.",
    ]);
  }
}

function notCsv(reason: string): UsageError {
  return new UsageError(`the file is not CSV: ${reason}; nothing was sent`, [
    "Fields with commas, quotes or line ends stand in double quotes; a quote inside is doubled.",
  ]);
}
