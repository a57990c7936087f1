/** Journals of lists that were not run for long are kept, since they record what was sent, but shortened. */
import { closeSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Lock, readMark, seize } from "../../call/access/lock.ts";
import { lockPath } from "./journal.ts";
import { type JournalLine, type PlacedLine, readLines, writeLine } from "./journal-lines.ts";

/** More than four times as long as the service keeps a key: by then nobody resumes the open rows. */
const RESTED_MS = 30 * 24 * 60 * 60 * 1000;
/** A journal this short is left as it is. */
const SHORT_BYTES = 4096;
/** How many are shortened in one run, oldest first; the next run continues. */
const MOST_JOURNALS = 20;

/** Never throws: a journal that could not be shortened is retried after another run. */
export function shortenOldJournals(folder: string, nowMs: number): void {
  try {
    const files = readdirSync(folder).map((name) => {
      const path = join(folder, name);
      const { mtimeMs, size } = statSync(path);
      return { path, mtimeMs, size };
    });
    const rested = files.filter(({ mtimeMs }) => nowMs - mtimeMs > RESTED_MS).sort((a, b) => a.mtimeMs - b.mtimeMs);
    // left by a process that was killed while writing
    for (const { path } of rested.filter(({ path }) => path.endsWith(".new"))) rmSync(path, { force: true });
    const long = rested.filter(({ path, size }) => path.endsWith(".jsonl") && size > SHORT_BYTES);
    for (const { path } of long.slice(0, MOST_JOURNALS)) shortenJournal(path, nowMs);
  } catch {
    // retried after another run
  }
}

/**
 * Rewrites the journal at a path in fewer bytes: done rows become ranges, without the ids of what they created. Done
 * rows are never forgotten, or a list run again a year later would be sent again. A journal that is in use or damaged
 * is left as it is.
 */
function shortenJournal(path: string, nowMs: number): void {
  const lock = takeRestedLock(lockPath(path), nowMs);
  if (lock === undefined) return;
  const next = `${path}.${crypto.randomUUID()}.new`;
  try {
    const lines = readShortLines(path, lock.renew);
    if (lines === undefined) return;
    let sum = "";
    const texts = lines.map((line) => {
      const written = writeLine(line, sum);
      sum = written.sum;
      return written.text;
    });
    writeFileSync(next, texts.join(""), { mode: 0o600, flush: true });
    if (lock.renew()) renameSync(next, path);
  } finally {
    rmSync(next, { force: true });
    lock.release();
  }
}

/** Takes a lock that is free, or that a killed run left as long ago. Every beat of a live one is a change of the folder. */
function takeRestedLock(path: string, nowMs: number): Lock | undefined {
  const mark = readMark(path);
  if (mark !== undefined && nowMs - statSync(path).mtimeMs <= RESTED_MS) return undefined;
  return seize(path, mark);
}

/** Returns undefined if the journal is damaged. */
function readShortLines(path: string, onChunk: () => void): JournalLine[] | undefined {
  const done = new Set<number>();
  const failed = new Map<number, JournalLine>();
  const failedFiles = new Map<string, JournalLine>();
  let begunAtMs: number | undefined;
  const file = openSync(path, "r");
  try {
    const take = ({ line }: PlacedLine) => {
      begunAtMs ??= line.begunAtMs;
      if (line.failedFile !== undefined) failedFiles.set(line.failedFile.path, { failedFile: line.failedFile });
      for (const [first, last] of line.doneRanges ?? []) for (let row = first; row <= last; row += 1) done.add(row);
      const { row } = line;
      if (row === undefined) return;
      if (line.failed === undefined) done.add(row);
      else failed.set(row, { row, failed: line.failed });
    };
    const { damagedLine } = readLines(file, take, onChunk);
    if (damagedLine !== undefined) return undefined;
  } finally {
    closeSync(file);
  }
  for (const row of done) failed.delete(row);
  return [
    { ...(begunAtMs !== undefined && { begunAtMs }), doneRanges: toRanges(done) },
    ...failedFiles.values(),
    ...failed.values(),
  ];
}

function toRanges(rows: ReadonlySet<number>): [number, number][] {
  const ranges: [number, number][] = [];
  for (const row of [...rows].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === row - 1) last[1] = row;
    else ranges.push([row, row]);
  }
  return ranges;
}
