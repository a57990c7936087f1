/**
 * The outcomes of a run's rows, written to disk before they are reported, so that a killed process loses nothing. A row
 * without an outcome is open: repeating its call with the same key is safe.
 *
 * Each process writes to a private copy, which replaces the journal when its first line is written. If a paused process
 * loses the run to another one, its lines therefore never mix with those of the other process.
 */

import {
  closeSync,
  constants,
  existsSync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM } from "@msgctl/contract/constants";
import { type Lock, takeLock, type Waiting } from "../../call/access/lock.ts";
import { makeFolder } from "../../call/access/make-folder.ts";
import { CliError } from "../../failures/errors.ts";
import { adviseWrite } from "../../failures/system-faults.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { EXIT } from "../../process/exit-codes.ts";
import {
  type GoingOn,
  JOURNAL_FORMAT,
  type JournalLine,
  parseLine,
  type RowFailure,
  type RunHeader,
  readLines,
  writeLine,
} from "./journal-lines.ts";

/** `begun`: the call was started and has no known outcome, so the service may or may not have processed the row. */
export type RowState = "open" | "begun" | "done" | "failed";

export interface Journal {
  path: string;
  /** Held until the journal is closed. Renew it before each row is sent and each file is written. */
  lock: Lock;
  /** Undefined until the run has begun. */
  run: RunHeader | undefined;
  stateOf(row: string): RowState;
  begin(run: RunHeader): void;
  /** Records that a later process resumes the run. */
  goOn(goesOn: GoingOn): void;
  /** Records that a row's call begins, with the keyed digest of its recipient. */
  rowBegins(row: string, to: string | undefined): void;
  done(row: string, id: string | undefined): void;
  failed(row: string, failure: RowFailure): void;
  /** Returns undefined for a row that is not currently failed. */
  readFailure(row: string): RowFailure | undefined;
  /** Counts, by state, the rows that are not open and for which `isCounted` returns true. */
  count(isCounted: (row: string) => boolean): Record<Exclude<RowState, "open">, number>;
  /** Records a file of failed rows and its hash. */
  noteFailedFile(path: string, sha256: string): void;
  /** The file of failed rows that was most recently written. */
  readonly lastFailedFile: string | undefined;
  /** Whether this run wrote a file of failed rows with this path and hash. */
  isOwnFailedFile(path: string, sha256: string): boolean;
  /** Records that each row of the run has an outcome. */
  end(atMs: number): void;
  close(): void;
}

/** The lock of the journal at a path. */
export const lockPath = (path: string) => `${path}.locked`;

/**
 * Locks the journal at a path and reads what earlier processes recorded. A missing journal is created at the first write.
 * Its folder is private to its owner.
 *
 * @throws {CliError} If another run works on the list, or if the journal is damaged or cannot be written.
 */
export async function openJournal(path: string, waiting: Waiting): Promise<Journal> {
  const own = `${path}.${crypto.randomUUID()}.new`;
  let lock: Lock | undefined;
  let file: number | undefined;
  try {
    makeFolder(dirname(path));
    lock = await takeLock(lockPath(path), waiting);
    if (lock === undefined) throw listUnderWay();
    const isNew = !existsSync(path);
    if (!isNew) await copyFile(path, own, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    file = openSync(own, isNew ? "wx+" : "r+", 0o600);
    const journal = readJournal({ path, own, file, lock });
    // flush the copy before it replaces the journal: otherwise a power cut could leave it shorter than the journal was
    await promisify(fsync)(file);
    return journal;
  } catch (error) {
    if (file !== undefined) closeSync(file);
    rmSync(own, { force: true });
    lock?.release();
    throw error instanceof CliError ? error : notNoted(path, error);
  }
}

interface OpenFiles {
  path: string;
  /** This run's copy, and its descriptor. */
  own: string;
  file: number;
  lock: Lock;
}

function readJournal({ path, own, file, lock }: OpenFiles): Journal {
  const states = new Map<string, RowState>();
  /** The position of each failure in the file; its text stays there to save memory. */
  const failures = new Map<string, { at: number; length: number }>();
  const failedFiles = new Map<string, string>();
  let run: RunHeader | undefined;

  function take(line: JournalLine, at: number, length: number): void {
    run ??= line.run;
    if (run !== undefined && line.goesOn !== undefined) run = { ...run, ...line.goesOn };
    if (line.failedFile !== undefined) {
      // re-inserted, so that the most recent comes last
      failedFiles.delete(line.failedFile.path);
      failedFiles.set(line.failedFile.path, line.failedFile.sha256);
    }
    const { begun, failed } = line;
    const row = begun ?? line.row;
    // a done row stays done
    if (row === undefined || states.get(row) === "done") return;
    if (failed === undefined) failures.delete(row);
    else failures.set(row, { at, length });
    states.set(row, begun !== undefined ? "begun" : failed === undefined ? "done" : "failed");
  }

  let { end, sum, damagedLine, isNewer } = readLines(
    file,
    ({ line, at, length }) => take(line, at, length),
    lock.renew,
  );
  if (isNewer) throw newerJournal(path);
  if (damagedLine !== undefined) throw damaged(path, damagedLine);
  // the next line must not be appended to a line that was cut off when its process ended
  ftruncateSync(file, end);
  let isPlaced = false;

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
    get run() {
      return run;
    },
    stateOf: (row) => states.get(row) ?? "open",
    begin: (header) => append({ format: JOURNAL_FORMAT, run: header }),
    goOn: (goesOn) => append({ goesOn }),
    rowBegins: (row, to) => append({ begun: row, ...(to !== undefined && { to }) }),
    done: (row, id) => append({ row, ...(id !== undefined && { id }) }),
    failed: (row, failed) => append({ row, failed }),
    readFailure(row) {
      const place = failures.get(row);
      if (place === undefined) return undefined;
      const bytes = Buffer.alloc(place.length);
      readSync(file, bytes, 0, place.length, place.at);
      return parseLine(bytes.toString("utf8"))?.failed ?? { code: "unknown", message: "refused; see the journal" };
    },
    count(isCounted) {
      const counts = { open: 0, begun: 0, done: 0, failed: 0 };
      for (const [row, state] of states) if (isCounted(row)) counts[state] += 1;
      return counts;
    },
    get lastFailedFile() {
      return [...failedFiles.keys()].at(-1);
    },
    noteFailedFile: (failedPath, sha256) => append({ failedFile: { path: failedPath, sha256 } }),
    isOwnFailedFile: (failedPath, sha256) => failedFiles.get(failedPath) === sha256,
    end: (atMs) => append({ endedAtMs: atMs }),
    close() {
      closeSync(file);
      if (!isPlaced) rmSync(own, { force: true });
      lock.release();
    },
  };
}

export function listUnderWay(): CliError {
  return new CliError(
    EXIT.usage,
    "list_under_way",
    "this list is being sent already, by another msgctl; nothing was sent",
    {
      hints: ["Wait until it has finished, then run the same command again."],
    },
  );
}

export function listTakenOver(): CliError {
  const message = "another msgctl has taken over this list, because this one was paused for some seconds";
  return new CliError(EXIT.partial, "list_taken_over", message, { hints: ["Wait until the other one has finished."] });
}

export function damaged(path: string, line: number): CliError {
  const message = `the journal of sent rows is damaged from line ${line} of ${path} on; nothing was sent`;
  return new CliError(EXIT.usage, "journal_damaged", message, {
    hints: [
      "Put the file back from a backup.",
      `If there is no backup, move the file away and run the command within ${IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM} days of its first run: for that long the service recognises rows that were sent. Later it may send them again.`,
    ],
  });
}

/** The error for a journal in the format of a newer msgctl. */
export function newerJournal(path: string): CliError {
  const message = `${path} was written by a newer msgctl, and this one cannot read it; nothing was sent`;
  return new CliError(EXIT.usage, "newer_journal", message, {
    hints: ["Use the newer msgctl: `npm install --global msgctl@latest`."],
  });
}

/** The error if the journal cannot be written: a run that cannot be recorded is not started. */
export function notNoted(path: string, cause: unknown): CliError {
  const message = `${path} cannot be written (${readErrorCode(cause) ?? String(cause)}); nothing was sent`;
  return new CliError(EXIT.usage, "journal_unwritable", message, { hints: [adviseWrite(cause)], cause });
}

function unwritable(path: string, cause: unknown): CliError {
  const message = `${path} cannot be written (${readErrorCode(cause) ?? String(cause)}); no more rows are started`;
  const hints = ["Free some disk space, then run the same command again: no row is sent twice."];
  return new CliError(EXIT.internal, "journal_unwritable", message, { hints, cause });
}
