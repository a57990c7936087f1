/**
 * The lines of a journal. Each has a checksum over itself and all lines before it, which distinguishes a torn end from a
 * line that was changed, removed or added.
 */
import { createHash } from "node:crypto";
import { readSync } from "node:fs";

/** Why the service refused a row. Nothing was done for the row. */
export interface RowFailure {
  code: string;
  message: string;
}

/** The first line of a journal. */
export interface RunHeader {
  beganAtMs: number;
  /** Digest of the API key. */
  account: string;
  /** Name of the list, such as `visits` for visits.csv; undefined for standard input. */
  listName?: string;
  /** Number of rows that the run was to send. */
  rowCount: number;
  /** Value of --run. */
  word?: string;
  /** The prefix of each row's Idempotency-Key. */
  keyPrefix: string;
  /** The decision about rows that were sent before: leave them out, or send them again. */
  earlierRows?: EarlierRows;
}

export type GoingOn = Pick<RunHeader, "account" | "earlierRows">;

export type EarlierRows = "left-out" | "sent-again";

/** The version of the format. An older msgctl refuses a journal with a higher one: it could misread what was sent. */
export const JOURNAL_FORMAT = 1;

export interface JournalLine {
  /** In the line of `run`. */
  format?: number;
  run?: RunHeader;
  /** A later process resumes the run, perhaps with another key of the account. */
  goesOn?: GoingOn;
  /** Id of a row whose call starts. If no later line has its outcome, the row may or may not be done. */
  begun?: string;
  /** Keyed digest of the recipient of row `begun`. */
  to?: string;
  /** Id of a row that is done or failed. */
  row?: string;
  /** Id of the message that the row created. */
  id?: string;
  failed?: RowFailure;
  /** A file of failed rows, with its hash as written. */
  failedFile?: { path: string; sha256: string };
  /** When the run ended. Every row has an outcome by then. */
  endedAtMs?: number;
}

export interface PlacedLine {
  line: JournalLine;
  at: number;
  length: number;
}

export interface ReadLines {
  /** Position of the end of the last complete line, and the checksum up to there. */
  end: number;
  sum: string;
  /** Number of the first altered line. A torn last line does not count. */
  damagedLine: number | undefined;
  /** Whether a newer msgctl wrote the journal, in a format that this one cannot read. */
  isNewer: boolean;
}

const READ_BYTES = 256 * 1024;
const SUM = /,?"sum":"([0-9a-f]{16})"\}$/;

/** Serializes a line; `sum` is passed to the next one. */
export function writeLine(line: JournalLine, before: string): { text: string; sum: string } {
  const plain = JSON.stringify(line);
  const sum = computeSum(before, plain);
  return { text: `${plain.slice(0, -1)}${plain === "{}" ? "" : ","}"sum":"${sum}"}\n`, sum };
}

/** Passes each intact line with its position to `take`. Calls `onChunk` every few milliseconds. */
export function readLines(file: number, take: (placed: PlacedLine) => void, onChunk: () => void): ReadLines {
  let [sum, end, count] = ["", 0, 0];
  let wrongLine: number | undefined;
  let damagedLine: number | undefined;
  let isNewer = false;
  for (const { text, at, length } of rawLines(file, onChunk)) {
    count += 1;
    const line = parseLine(text);
    if (wrongLine !== undefined) {
      // after a full disk or a power cut, no complete line follows the torn one
      if (line !== undefined) damagedLine ??= wrongLine;
      continue;
    }
    const next = line === undefined ? undefined : checkSum(text, sum);
    if (line === undefined || next === undefined) {
      wrongLine = count;
      if (line !== undefined) damagedLine = count;
      continue;
    }
    sum = next;
    end = at + length + 1;
    isNewer ||= line.format !== undefined && line.format > JOURNAL_FORMAT;
    take({ line, at, length });
  }
  return { end, sum, damagedLine, isNewer };
}

export function parseLine(text: string): JournalLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null && !Array.isArray(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the checksum up to this line; undefined if the line was altered. */
function checkSum(text: string, before: string): string | undefined {
  const [found, sum] = SUM.exec(text) ?? [];
  if (found === undefined) return undefined;
  return sum === computeSum(before, `${text.slice(0, -found.length)}}`) ? sum : undefined;
}

function computeSum(before: string, plain: string): string {
  return createHash("sha256").update(before).update(plain).digest("hex").slice(0, 16);
}

interface RawLine {
  text: string;
  at: number;
  length: number;
}

function* rawLines(file: number, onChunk: () => void): Generator<RawLine, void, undefined> {
  const buffer = Buffer.alloc(READ_BYTES);
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const read = readSync(file, buffer, 0, READ_BYTES, position + rest.length);
    if (read === 0) return;
    onChunk();
    rest = Buffer.concat([rest, buffer.subarray(0, read)]);
    let start = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, start)) {
      yield { text: rest.toString("utf8", start, end), at: position + start, length: end - start };
      start = end + 1;
    }
    position += start;
    rest = rest.subarray(start);
  }
}
