/**
 * What became of the rows of a list, on disk before anybody is told: a line a row, appended, so that a process that is
 * killed leaves all it knew. Rows without a line are open: the service knows their keys.
 */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** A row that the service refused, for good: it has done nothing. */
export interface RowFailure {
  code: string;
  message: string;
}

export interface Journal {
  path: string;
  /** When the first run of this list began, in milliseconds since 1970; undefined before any has. */
  begunAtMs: number | undefined;
  doneCount: number;
  failedCount: number;
  isKnown(index: number): boolean;
  /** Notes that a run begins. */
  begin(atMs: number): void;
  done(index: number, id: string | undefined): void;
  failed(index: number, failure: RowFailure): void;
  /** Undefined for a row that did not fail. */
  failureOf(index: number): RowFailure | undefined;
  close(): void;
}

interface JournalLine {
  begunAtMs?: number;
  row?: number;
  id?: string;
  failed?: RowFailure;
  /** First and last of rows that are done, in a journal that was made short. */
  doneRanges?: readonly (readonly [number, number])[];
}

const READ_BYTES = 256 * 1024;

/** Opens the journal at a path or begins it, readable by nobody else, and reads what earlier runs noted. */
export function openJournal(path: string, rowCount: number): Journal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a+", 0o600);
  /** One byte a row, and of a failure only its place in the file: memory stays flat whatever the service answers. */
  const known = new Uint8Array(rowCount);
  const failures = new Map<number, { at: number; length: number }>();
  let size = fstatSync(file).size;

  function take(line: JournalLine, at: number, length: number): void {
    if (line.begunAtMs !== undefined) journal.begunAtMs ??= line.begunAtMs;
    for (const [first, last] of line.doneRanges ?? [])
      for (let row = first; row <= last && row < rowCount; row += 1) take({ row }, at, length);
    if (line.row === undefined || known[line.row] !== 0) return;
    known[line.row] = 1;
    if (line.failed === undefined) {
      journal.doneCount += 1;
      return;
    }
    journal.failedCount += 1;
    failures.set(line.row, { at, length });
  }

  function append(line: JournalLine): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    writeSync(file, bytes);
    // Another process may have appended too: what is read back later is checked.
    take(line, size, bytes.length);
    size += bytes.length;
  }

  const journal: Journal = {
    path,
    begunAtMs: undefined,
    doneCount: 0,
    failedCount: 0,
    isKnown: (index) => known[index] === 1,
    begin: (begunAtMs) => append({ begunAtMs }),
    done: (row, id) => append({ row, ...(id !== undefined && { id }) }),
    failed: (row, failed) => append({ row, failed }),
    failureOf(index) {
      const place = failures.get(index);
      if (place === undefined) return undefined;
      const bytes = Buffer.alloc(place.length);
      readSync(file, bytes, 0, place.length, place.at);
      return parse(bytes.toString("utf8"))?.failed ?? { code: "unknown", message: "refused; see the journal" };
    },
    close: () => closeSync(file),
  };
  const end = readLines(file, (text, at, length) => {
    const line = parse(text);
    if (line !== undefined) take(line, at, length);
  });
  // A line that was cut off by the end of its process must not swallow the next.
  if (end < size) size += writeSync(file, "\n");
  return journal;
}

/**
 * Rewrites the journal at a path so that it says the same in few bytes: rows that are done become ranges, without the ids of
 * what they made. What was done is never forgotten, since a list that is run again a year later would be sent once more.
 */
export function shortenJournal(path: string): void {
  const file = openSync(path, "r");
  const done = new Set<number>();
  const failed = new Map<number, JournalLine>();
  let begunAtMs: number | undefined;
  try {
    readLines(file, (text) => {
      const line = parse(text) ?? {};
      begunAtMs ??= line.begunAtMs;
      for (const [first, last] of line.doneRanges ?? [])
        for (let row = first; row <= last; row += 1) if (!failed.has(row)) done.add(row);
      const { row } = line;
      if (row === undefined || done.has(row) || failed.has(row)) return;
      if (line.failed === undefined) done.add(row);
      else failed.set(row, { row, failed: line.failed });
    });
  } finally {
    closeSync(file);
  }
  const lines: JournalLine[] = [
    { ...(begunAtMs !== undefined && { begunAtMs }), doneRanges: rangesOf(done) },
    ...failed.values(),
  ];
  const next = `${path}.${process.pid}.new`;
  writeFileSync(next, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
  renameSync(next, path);
}

function rangesOf(rows: ReadonlySet<number>): [number, number][] {
  const ranges: [number, number][] = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === row - 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges;
}

/** Gives each whole line with its place; returns where the last of them ends. */
function readLines(file: number, take: (text: string, at: number, length: number) => void): number {
  const buffer = Buffer.alloc(READ_BYTES);
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let position = 0;
  for (;;) {
    const read = readSync(file, buffer, 0, READ_BYTES, position + rest.length);
    if (read === 0) return position;
    rest = Buffer.concat([rest, buffer.subarray(0, read)]);
    let start = 0;
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10, start)) {
      take(rest.toString("utf8", start, end), position + start, end - start);
      start = end + 1;
    }
    position += start;
    rest = rest.subarray(start);
  }
}

function parse(text: string): JournalLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === "object" && line !== null ? line : undefined;
  } catch {
    return undefined;
  }
}
