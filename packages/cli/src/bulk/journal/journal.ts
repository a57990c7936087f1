/**
 * The outcomes of a list's rows, written to disk before they are reported: one line per row, so that a killed process
 * loses nothing. Rows without a line are open: the service knows their keys.
 *
 * Each run writes to a copy of its own, which replaces the journal at its first line. What a run writes that has lost
 * the list to another, such as after a long standstill, therefore never mixes with the lines of that one.
 */

import {
  closeSync,
  constants,
  fsync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM } from "@msgctl/contract/constants";
import { type Lock, takeLock, type Waiting } from "../../call/access/lock.ts";
import { CliError } from "../../failures/errors.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { type JournalLine, parseLine, type RowFailure, readLines, writeLine } from "./journal-lines.ts";
import { type RowState, RowStates } from "./row-states.ts";

export interface Journal {
  path: string;
  /** Held until the journal is closed. Rows are sent and files written only after a renewal. */
  lock: Lock;
  /** When the first run of this list began, or earlier, in epoch milliseconds; undefined before the first run. */
  begunAtMs: number | undefined;
  stateOf(row: number): RowState;
  /** Records that a run begins. */
  begin(atMs: number): void;
  done(row: number, id: string | undefined): void;
  failed(row: number, failure: RowFailure): void;
  /** Returns undefined for a row that is not currently failed. */
  readFailure(row: number): RowFailure | undefined;
  /** Counts the done and failed rows among those for which `isCounted` is true. */
  count(isCounted: (row: number) => boolean): { done: number; failed: number };
  /** Records a file of failed rows and its hash. */
  noteFailedFile(path: string, sha256: string): void;
  /** The one most recently written. */
  readonly lastFailedFile: string | undefined;
  /** Whether a file with this content is a file of failed rows written for this list. */
  isOwnFailedFile(path: string, sha256: string): boolean;
  close(): void;
}

/** The highest possible row: a key has nine digits for it. */
const LAST_ROW = 999_999_999;

/** The lock of the journal at a path. */
export const lockPath = (path: string) => `${path}.locked`;

/**
 * Locks the journal at a path, private to its owner, and reads what earlier runs recorded. There need not be one.
 *
 * @throws {CliError} If another run has the list, something other than msgctl changed it, or it cannot be written.
 */
export async function openJournal(path: string, waiting: Waiting): Promise<Journal> {
  const own = `${path}.${crypto.randomUUID()}.new`;
  let lock: Lock | undefined;
  let file: number | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    lock = await takeLock(lockPath(path), waiting);
    if (lock === undefined) throw listUnderWay();
    const former = statSync(path, { throwIfNoEntry: false });
    if (former !== undefined) await copyFile(path, own, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    file = openSync(own, former === undefined ? "wx+" : "r+", 0o600);
    const journal = readJournal({ path, own, file, lock, former });
    // after a power cut, what replaces the former file must not be shorter
    await promisify(fsync)(file);
    return journal;
  } catch (error) {
    if (file !== undefined) closeSync(file);
    rmSync(own, { force: true });
    lock?.release();
    throw error instanceof CliError ? error : unwritable(path, error);
  }
}

interface OpenFiles {
  path: string;
  /** This run's copy, and its descriptor. */
  own: string;
  file: number;
  lock: Lock;
  /** The file of the last run. */
  former: Stats | undefined;
}

function readJournal({ path, own, file, lock, former }: OpenFiles): Journal {
  const states = new RowStates();
  /** Only each failure's position in the file. */
  const failures = new Map<number, { at: number; length: number }>();
  const failedFiles = new Map<string, string>();
  let begunAtMs: number | undefined;

  function take(line: JournalLine, at: number, length: number): void {
    if (line.begunAtMs !== undefined) begunAtMs = Math.min(begunAtMs ?? line.begunAtMs, line.begunAtMs);
    if (line.failedFile !== undefined) {
      // re-inserted, so that the most recent comes last
      failedFiles.delete(line.failedFile.path);
      failedFiles.set(line.failedFile.path, line.failedFile.sha256);
    }
    for (const [first, last] of line.doneRanges ?? []) for (let row = first; row <= last; row += 1) settle(row);
    const { row, failed } = line;
    if (row === undefined || !Number.isInteger(row) || row < 0 || row > LAST_ROW) return;
    // what is done stays done
    if (states.of(row) === "done") return;
    if (failed === undefined) settle(row);
    else {
      states.set(row, "failed");
      failures.set(row, { at, length });
    }
  }

  function settle(row: number): void {
    states.set(row, "done");
    failures.delete(row);
  }

  let { end, sum, damagedLine } = readLines(file, ({ line, at, length }) => take(line, at, length), lock.renew);
  if (damagedLine !== undefined) throw damaged(path, damagedLine);
  // a line cut off when its process ended must not swallow the next one
  ftruncateSync(file, end);
  // the list is at least as old as its file, whatever the lines say
  const { birthtimeMs = 0 } = former ?? {};
  if (birthtimeMs !== 0 && birthtimeMs < (begunAtMs ?? Number.POSITIVE_INFINITY)) write({ begunAtMs: birthtimeMs });
  let isPlaced = false;
  // runs with another key look for the journal of this one
  if (former === undefined) place();

  function place(): void {
    if (!lock.renew()) throw listTakenOver();
    try {
      renameSync(own, path);
    } catch (error) {
      throw unwritable(path, error);
    }
    isPlaced = true;
  }

  function append(line: JournalLine): void {
    if (!isPlaced) place();
    write(line);
  }

  function write(line: JournalLine): void {
    const { text, sum: next } = writeLine(line, sum);
    const bytes = Buffer.from(text);
    try {
      for (let written = 0; written < bytes.length; )
        written += writeSync(file, bytes, written, bytes.length - written, end + written);
    } catch (error) {
      // the next line must not follow half a line
      ftruncateSync(file, end);
      throw unwritable(path, error);
    }
    take(line, end, bytes.length - 1);
    end += bytes.length;
    sum = next;
  }

  return {
    path,
    lock,
    get begunAtMs() {
      return begunAtMs;
    },
    stateOf: (row) => states.of(row),
    begin: (atMs) => append({ begunAtMs: atMs }),
    done: (row, id) => append({ row, ...(id !== undefined && { id }) }),
    failed: (row, failed) => append({ row, failed }),
    readFailure(row) {
      const place = failures.get(row);
      if (place === undefined) return undefined;
      const bytes = Buffer.alloc(place.length);
      readSync(file, bytes, 0, place.length, place.at);
      return parseLine(bytes.toString("utf8"))?.failed ?? { code: "unknown", message: "refused; see the journal" };
    },
    count(isAsked) {
      const counts = { open: 0, done: 0, failed: 0 };
      for (const row of states.known()) if (isAsked(row)) counts[states.of(row)] += 1;
      return { done: counts.done, failed: counts.failed };
    },
    get lastFailedFile() {
      return [...failedFiles.keys()].at(-1);
    },
    noteFailedFile: (failedPath, sha256) => append({ failedFile: { path: failedPath, sha256 } }),
    isOwnFailedFile: (failedPath, sha256) => failedFiles.get(failedPath) === sha256,
    close() {
      closeSync(file);
      if (!isPlaced) rmSync(own, { force: true });
      // the age of an empty file would look like the start of a run
      else if (former === undefined && end === 0 && lock.renew()) rmSync(path, { force: true });
      lock.release();
    },
  };
}

export function listUnderWay(): CliError {
  return new CliError(EXIT.usage, "list_under_way", "another msgctl is at this list; nothing was sent", {
    hints: ["Wait until it has ended, then run the same command again."],
  });
}

export function listTakenOver(): CliError {
  const message = "another msgctl has taken this list over, since this one stood still for some seconds";
  return new CliError(EXIT.partial, "list_taken_over", message, { hints: ["Wait until the other one has ended."] });
}

function damaged(path: string, line: number): CliError {
  const message = `what was noted of this list was changed or is incomplete, from line ${line} of ${path} on; nothing was sent`;
  return new CliError(EXIT.usage, "journal_damaged", message, {
    hints: [
      "Put the file back from a backup.",
      `Without it every row may be sent again: move the file away, and run the command within ${IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM} days of its first run, in which the service knows the keys for sure.`,
    ],
  });
}

function unwritable(path: string, cause: unknown): CliError {
  const reason = readErrorCode(cause) ?? String(cause);
  return new CliError(
    EXIT.internal,
    "journal_unwritable",
    `${path} cannot be written (${reason}); no further row is begun`,
    {
      hints: ["Make room on the disk, then run the same command again: what was sent is not sent twice."],
      cause,
    },
  );
}
