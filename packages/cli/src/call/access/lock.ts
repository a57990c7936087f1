/**
 * A lock that needs no clock, process id or host name, so machines that share a volume may use it (docs/decisions/0055).
 *
 * It is a folder with one file, the mark, named `<holder>.<beat>`. The holder renames the mark to its next beat twice a
 * second, and before each guarded action. If another process sees the same mark for three seconds, it
 * renames the mark to its own and so takes the lock over.
 *
 * A rename succeeds for only one process, and only while the mark has the expected name. So two processes never hold the
 * lock, and a holder that was paused learns at its next beat that it has lost the lock. A process killed at any moment
 * leaves a mark, which another process takes over, or an empty folder, which counts as a free lock.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CliError } from "../../failures/errors.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";

export interface Lock {
  /** Renews the lock. Returns false once another process has taken it over. Call right before each guarded action. */
  renew(): boolean;
  /** Aborted once this process knows that it has lost the lock. */
  readonly lost: AbortSignal;
  release(): void;
}

/** Clock of a wait, and the signal that interrupts it. */
export type Waiting = Pick<Io, "clock" | "signal">;

const BEAT_MS = 500;
const LOOK_MS = 100;
/** A holder is dead if its mark is the same in this many checks (three seconds). Checks are counted, as machines may sleep. */
const LOOKS = 30;

const MARK = /^[0-9a-f-]{36}\.\d+$/;

/**
 * Takes the lock if it is free, or after its holder has left the mark unchanged for three seconds. Returns undefined as soon
 * as the mark changes.
 *
 * @throws {CliError} When the signal is aborted. The file system's errors are thrown as they are.
 */
export async function takeLock(path: string, { clock, signal }: Waiting): Promise<Lock | undefined> {
  const first = readMarks(path);
  for (let look = 0; look <= LOOKS; look += 1) {
    if (signal.aborted) throw new CliError(EXIT.interrupted, "interrupted", "interrupted; nothing was changed");
    const marks = readMarks(path);
    if (marks.length > 0 && marks.join() !== first.join()) return undefined;
    const lock = marks.length === 0 || look === LOOKS ? seize(path, marks[0]) : undefined;
    if (lock !== undefined) return lock;
    await clock.pause(LOOK_MS, signal);
  }
  return undefined;
}

/** Returns the mark of the lock's holder; undefined if the lock is free. */
export function readMark(path: string): string | undefined {
  return readMarks(path)[0];
}

/** Takes the lock at once, even from a live holder, if its mark is still `mark`. Returns undefined otherwise. */
export function seize(path: string, mark: string | undefined): Lock | undefined {
  const holder = crypto.randomUUID();
  const own = `${holder}.0`;
  const at = join(path, own);
  const isTaken = mark === undefined ? place(path, own) : tryMove(at, () => renameSync(join(path, mark), at));
  if (!isTaken) return undefined;
  sweep(path);
  return createLock(path, holder);
}

function createLock(path: string, holder: string): Lock {
  const lost = new AbortController();
  let beat = 0;
  const at = (place: number) => join(path, `${holder}.${place}`);

  function advance(): boolean {
    try {
      renameSync(at(beat), at(beat + 1));
    } catch (error) {
      // On Windows a virus scanner may have the file open for a moment.
      if (readErrorCode(error) !== "ENOENT") return existsSync(at(beat));
      // NFS may repeat a rename whose reply was lost, and then report ENOENT although the first one succeeded.
      if (!existsSync(at(beat + 1))) return false;
    }
    beat += 1;
    return true;
  }

  function renew(): boolean {
    if (!lost.signal.aborted && !advance()) {
      clearInterval(timer);
      lost.abort();
    }
    return !lost.signal.aborted;
  }

  const timer = setInterval(renew, BEAT_MS).unref();
  return {
    renew,
    lost: lost.signal,
    release() {
      clearInterval(timer);
      // If the mark cannot be removed, the next process treats its holder as dead. rmdir fails if another process has the lock.
      attempt(() => rmSync(at(beat)));
      attempt(() => rmdirSync(path));
    },
  };
}

/** The marks, sorted: at most one, except after a power cut. If there are two, a change of either shows a live holder. */
function readMarks(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((name) => MARK.test(name))
      .sort();
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Takes a free lock: prepares a folder that has the mark, and renames the folder, so it never appears without its mark. */
function place(path: string, own: string): boolean {
  const prepared = `${path}.${own}`;
  mkdirSync(prepared, { mode: 0o700 });
  const isPlaced = tryMove(join(path, own), () => {
    writeFileSync(join(prepared, own), "");
    attempt(() => rmdirSync(path));
    renameSync(prepared, path);
  });
  if (!isPlaced) attempt(() => rmSync(prepared, { recursive: true }));
  return isPlaced;
}

/** Removes folders that `place` had prepared in processes that were killed. */
function sweep(path: string): void {
  const [folder, prefix] = [dirname(path), `${basename(path)}.`];
  const isPrepared = (name: string) => name.startsWith(prefix) && MARK.test(name.slice(prefix.length));
  for (const name of readdirSync(folder).filter(isPrepared))
    attempt(() => rmSync(join(folder, name), { recursive: true }));
}

/** Codes of a rename that lost to another process; they differ by system. ENOENT also occurs after a sweep. */
const TOO_LATE = ["ENOENT", "EEXIST", "ENOTEMPTY", "EPERM", "EACCES", "EBUSY"];

/** Returns whether the mark `own` exists after the move. */
function tryMove(own: string, move: () => void): boolean {
  try {
    move();
  } catch (error) {
    if (!TOO_LATE.includes(readErrorCode(error) ?? "")) throw error;
  }
  return existsSync(own);
}

function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // ignored: every caller can continue if the action fails
  }
}
