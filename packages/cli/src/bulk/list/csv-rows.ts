/** Reads the rows of a CSV text one at a time, each with the line it begins on. */
import { UsageError } from "../../failures/errors.ts";

export interface CsvRow {
  /** Line in the file, from 1. */
  line: number;
  cells: readonly string[];
}

/** An unclosed quote must not buffer the rest of a large file; a row holds at most a 1 MiB email, quotes doubled. */
const LONGEST_ROW_CHARACTERS = 4 * 1024 * 1024;

/**
 * Yields the rows, header first, reading at most one chunk ahead of the consumer. Handles quotes, a byte order mark,
 * all line endings and empty lines.
 *
 * @throws {UsageError} If the text is not CSV or not UTF-8.
 */
export async function* readCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow, void, undefined> {
  const reader = new CsvReader();
  for await (const text of utf8(chunks)) yield* reader.take(text);
  yield* reader.end();
}

/** Ends a run of plain text. */
const SIGN = /[",\r\n]/g;

/** Parses RFC 4180 in chunks that may be split anywhere. */
class CsvReader {
  /** `closed`: after a quote, which ends the cell unless another quote follows. */
  #state: "start" | "plain" | "quoted" | "closed" = "start";
  #cells: string[] = [];
  #cell = "";
  #rowCharacters = 0;
  #line = 1;
  #rowLine = 1;
  #isAfterReturn = false;

  *take(text: string): Generator<CsvRow, void, undefined> {
    for (let at = 0; at < text.length; ) {
      const end = this.#state === "quoted" ? text.indexOf('"', at) : nextSign(text, at);
      const part = text.slice(at, end === -1 ? undefined : end);
      this.#add(part);
      at += part.length + 1;
      if (end !== -1) yield* this.#read(text[end] ?? "");
    }
  }

  *end(): Generator<CsvRow, void, undefined> {
    if (this.#state === "quoted") throw this.#fault("a quote is not closed");
    yield* this.#endRow();
  }

  #add(part: string): void {
    if (part === "") return;
    if (this.#state === "closed") throw this.#fault("text follows a closing quote");
    if (this.#state === "quoted") this.#line += part.split("\n").length - 1;
    else this.#state = "plain";
    this.#isAfterReturn = false;
    this.#cell += part;
    this.#rowCharacters += part.length;
    if (this.#rowCharacters > LONGEST_ROW_CHARACTERS) throw this.#fault("a row has more than 4 Mi characters");
  }

  *#read(sign: string): Generator<CsvRow, void, undefined> {
    const isSecondHalf = sign === "\n" && this.#isAfterReturn;
    this.#isAfterReturn = sign === "\r";
    if (sign === '"') this.#quote();
    else if (sign === ",") this.#endCell();
    else if (!isSecondHalf) {
      yield* this.#endRow();
      this.#line += 1;
      this.#rowLine = this.#line;
    }
  }

  #quote(): void {
    if (this.#state === "plain") throw this.#fault("a quote stands in a cell that does not begin with one");
    if (this.#state === "closed") this.#cell += '"';
    this.#state = this.#state === "quoted" ? "closed" : "quoted";
    this.#rowCharacters += 1;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#state = "start";
    this.#rowCharacters += 1;
  }

  *#endRow(): Generator<CsvRow, void, undefined> {
    const isEmpty = this.#cells.length === 0 && this.#state === "start";
    this.#endCell();
    const row = { line: this.#rowLine, cells: this.#cells };
    this.#cells = [];
    this.#rowCharacters = 0;
    if (!isEmpty) yield row;
  }

  #fault(reason: string): UsageError {
    return new UsageError(`the file is not CSV: line ${this.#rowLine}: ${reason}; nothing was sent`, [
      "Fields with commas, quotes or line ends stand in double quotes; a quote inside is doubled.",
    ]);
  }
}

function nextSign(text: string, from: number): number {
  SIGN.lastIndex = from;
  return SIGN.exec(text)?.index ?? -1;
}

/** Decodes strictly and drops the byte order mark: a name garbled by another encoding must not be sent. */
async function* utf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError("the file is not UTF-8 text; nothing was sent", [
      "Save it as CSV UTF-8, or convert it: `iconv -f WINDOWS-1252 -t UTF-8`.",
    ]);
  }
}
