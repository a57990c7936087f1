/** Reads the rows of a CSV text one at a time, each with the line on which it begins. */
import { UsageError } from "../../failures/errors.ts";
import { decodeChunks, NotText } from "../../process/decode-text.ts";

export interface CsvRow {
  /** Line in the file, from 1. */
  line: number;
  cells: readonly string[];
}

/** Format of a list. A file made from the list gets the same format, so that the same program can open it. */
export interface CsvForm {
  separator: string;
  /** Whether the first line names the separator, as Excel's `sep=;` does. */
  isNamed: boolean;
  /** Whether it begins with a byte order mark. Without one, some spreadsheets garble letters. */
  hasMark: boolean;
}

/** Possible separators. If the header has two of them equally often, the one listed first wins. */
const SEPARATORS = [",", ";", "\t"] as const;
/** Excel's first line, which names the separator and is not a row. */
const SEPARATOR_LINE = /^("?)sep=(.)\1(?:\r\n|\n|\r|$)/i;

/** Limit that keeps an unclosed quote from buffering a whole file. A 1 MiB email with doubled quotes fits. */
const LONGEST_ROW_CHARACTERS = 4 * 1024 * 1024;

/**
 * Yields the rows, header first, reading at most one chunk ahead of the consumer. Handles quotes, byte order marks of UTF-8
 * and UTF-16, all line endings, empty lines and rows of blanks. The separator is the header's: comma, semicolon or tab, or
 * what a first line such as `sep=;` names. `onForm` is called before the header.
 *
 * @throws {UsageError} If the file is not text, or not CSV.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  onForm: (form: CsvForm) => void = () => {},
): AsyncGenerator<CsvRow, void, undefined> {
  let hasMark = false;
  let reader: CsvReader | undefined;
  /** Buffered text until the whole header has arrived. */
  let head = "";
  const begin = (): CsvReader => {
    const [line = "", , named] = SEPARATOR_LINE.exec(head) ?? [];
    const separator = named ?? findSeparator(head);
    onForm({ separator, isNamed: named !== undefined, hasMark });
    head = head.slice(line.length);
    return new CsvReader(separator, line === "" ? 1 : 2);
  };
  try {
    const texts = decodeChunks(chunks, (start) => {
      hasMark = start.hasMark;
    });
    for await (const text of texts) {
      if (reader !== undefined) {
        yield* reader.take(text);
        continue;
      }
      head += text;
      if (!hasHeader(head)) continue;
      reader = begin();
      yield* reader.take(head);
    }
  } catch (error) {
    if (error instanceof NotText) throw new UsageError(`the file ${error.message}; nothing was sent`);
    throw error;
  }
  if (reader === undefined) {
    reader = begin();
    yield* reader.take(head);
  }
  yield* reader.end();
}

/** Whether the text extends past the header, so that buffering can stop. */
function hasHeader(head: string): boolean {
  return /[^\r\n][\r\n]+[^\r\n]/.test(outline(head)) || head.length > LONGEST_ROW_CHARACTERS;
}

/** The separator that the header has most often outside of quotes. */
function findSeparator(head: string): string {
  const [header = ""] = /[^\r\n]+/.exec(outline(head)) ?? [];
  const counts = SEPARATORS.map((separator) => ({ separator, count: header.split(separator).length }));
  const [most] = counts.sort((one, other) => other.count - one.count);
  return most?.separator ?? ",";
}

/** Omits blank lines before the header, and quoted text. */
function outline(head: string): string {
  return head.replace(/^(?:[ \t]*[\r\n]+)+/, "").replace(/"[^"]*(?:"|$)/g, '"');
}

/** Parses RFC 4180 in chunks that may be split anywhere. */
class CsvReader {
  readonly #separator: string;
  /** Matches the character that ends a run of plain text. */
  readonly #sign: RegExp;
  /** `closed`: after a quote inside a quoted cell. It ends the cell unless another quote follows. */
  #state: "start" | "plain" | "quoted" | "closed" = "start";
  #cells: string[] = [];
  #cell = "";
  #rowCharacters = 0;
  #line: number;
  #rowLine: number;
  #isAfterReturn = false;

  constructor(separator: string, firstLine: number) {
    this.#separator = separator;
    this.#sign = new RegExp(`["\\r\\n${separator.replace(/[\\\]^-]/, "\\$&")}]`, "g");
    this.#line = firstLine;
    this.#rowLine = firstLine;
  }

  *take(text: string): Generator<CsvRow, void, undefined> {
    for (let at = 0; at < text.length; ) {
      const end = this.#state === "quoted" ? text.indexOf('"', at) : this.#nextSign(text, at);
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
    if (this.#rowCharacters > LONGEST_ROW_CHARACTERS) throw this.#fault("a row has more than 4,194,304 characters");
  }

  *#read(sign: string): Generator<CsvRow, void, undefined> {
    const isSecondHalf = sign === "\n" && this.#isAfterReturn;
    this.#isAfterReturn = sign === "\r";
    if (sign === '"') this.#quote();
    else if (sign === this.#separator) this.#endCell();
    else if (!isSecondHalf) {
      yield* this.#endRow();
      this.#line += 1;
      this.#rowLine = this.#line;
    }
  }

  #quote(): void {
    if (this.#state === "plain") throw this.#fault("a quote is inside a cell that does not start with one");
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
    this.#endCell();
    const isEmpty = this.#cells.every((cell) => cell.trim() === "");
    const row = { line: this.#rowLine, cells: this.#cells };
    this.#cells = [];
    this.#rowCharacters = 0;
    if (!isEmpty) yield row;
  }

  #nextSign(text: string, from: number): number {
    this.#sign.lastIndex = from;
    return this.#sign.exec(text)?.index ?? -1;
  }

  #fault(reason: string): UsageError {
    return new UsageError(`the file is not CSV: line ${this.#rowLine}: ${reason}; nothing was sent`, [
      "Put cells with separators, quotes or line breaks in double quotes, and double each quote inside.",
    ]);
  }
}
