// One set-up of this checkout at a time: two installs in one folder spoil each other.

import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
/** A file is there before its process has written its number into it. */
const WRITING_MS = 2_000;
const BEAT_MS = 1_000;
/** A process number tells little: in a container without an init, the number of a process that died stays taken. */
const SILENT_MS = 15_000;

/**
 * Does `work` while no other process holds the file, and lets go of it afterwards. A file whose process is gone, or no
 * longer renews it, counts for nothing.
 *
 * @param {string} lockFile
 * @param {() => Promise<void>} work
 * @param {(pid: number) => void} onWait told once, with the process that is waited for
 */
export async function inTurn(lockFile, work, onWait) {
  mkdirSync(dirname(lockFile), { recursive: true });
  let told = false;
  while (!take(lockFile)) {
    const holder = readHolder(lockFile);
    if (holder === undefined) continue;
    if (isGone(holder)) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (holder.pid !== undefined && !told) {
      onWait(holder.pid);
      told = true;
    }
    await sleep(POLL_MS);
  }
  const beat = setInterval(() => renew(lockFile), BEAT_MS);
  const release = () => rmSync(lockFile, { force: true });
  process.once("exit", release);
  try {
    await work();
  } finally {
    clearInterval(beat);
    process.off("exit", release);
    release();
  }
}

/** @param {string} lockFile */
function take(lockFile) {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} lockFile */
function renew(lockFile) {
  try {
    utimesSync(lockFile, new Date(), new Date());
  } catch {
    // somebody cleaned the folder up: nothing to renew, and no reason to stop
  }
}

/** @typedef {{ pid: number | undefined, ageMs: number }} Holder */

/** @param {string} lockFile @returns {Holder | undefined} nothing when it has just let go */
function readHolder(lockFile) {
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    const ageMs = Date.now() - statSync(lockFile).mtimeMs;
    return { pid: Number.isInteger(pid) && pid > 0 ? pid : undefined, ageMs };
  } catch {
    return undefined;
  }
}

/** @param {Holder} holder */
function isGone({ pid, ageMs }) {
  return pid === undefined ? ageMs > WRITING_MS : ageMs > SILENT_MS || !isRunning(pid);
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // it runs, as somebody else's
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
