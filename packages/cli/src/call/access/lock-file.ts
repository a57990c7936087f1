/**
 * A lock: a file that exists while a process holds it. One left by a killed process names that process, which is gone,
 * and is removed by exactly one of those that find it.
 */

import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { readErrorCode } from "../../failures/thrown.ts";

/**
 * An empty lock is either being written, or its process died before writing it. Shorter than others wait for a lock; a
 * process that takes longer finds that the lock is no longer its own.
 */
const WRITTEN_WITHIN_MS = 1_000;

/** Takes the lock and returns a function to release it; undefined when it is held. @throws The file system's error. */
export function tryLock(path: string): (() => void) | undefined {
  const mark = `${process.pid} ${crypto.randomUUID()} ${hostname()}`;
  const release = () => rmSync(path, { force: true });
  const take = () => create(path, mark) && readHolder(path) === mark;
  if (take()) return release;
  const holder = readHolder(path);
  if (holder === undefined || !isAbandoned(path, holder)) return undefined;
  remove(path, holder);
  return take() ? release : undefined;
}

/** Removes the file if it could not be written. */
function create(path: string, content: string): boolean {
  let file: number;
  try {
    file = openSync(path, "wx", 0o600);
  } catch (error) {
    if (readErrorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    const bytes = Buffer.from(content);
    if (writeSync(file, bytes) < bytes.length) throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

function readHolder(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (readErrorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether the holder was a process on this machine that has ended. */
function isAbandoned(path: string, mark: string): boolean {
  if (mark === "") return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > WRITTEN_WITHIN_MS;
  const [, pid, host] = /^(\d+) \S+ (.*)$/.exec(mark) ?? [];
  return pid !== undefined && host === hostname() && !isRunning(Number(pid));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return readErrorCode(error) !== "ESRCH";
  }
  try {
    // a zombie, whose parent was killed before reaping it: in a container it may stay for ever
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    // not every system has /proc
    return true;
  }
}

/** Removes the lock only after claiming this very mark, and only if it is still there: never a successor's lock. */
function remove(path: string, mark: string): void {
  const claim = `${path}.${mark.split(" ")[1] ?? "empty"}`;
  if (!create(claim, "")) return;
  if (readHolder(path) === mark) rmSync(path);
  rmSync(claim, { force: true });
}
