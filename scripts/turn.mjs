// One set-up of this checkout at a time: two installs in one folder spoil each other.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
/** A file is there before its process has written its number into it. */
const WRITING_MS = 2_000;

/**
 * Does `work` while no other process holds the file, and lets go of it afterwards. A file whose process is gone counts
 * for nothing.
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
    if (holder.pid === undefined ? holder.ageMs > WRITING_MS : !isRunning(holder.pid)) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (holder.pid !== undefined && !told) {
      onWait(holder.pid);
      told = true;
    }
    await sleep(POLL_MS);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.once("exit", release);
  try {
    await work();
  } finally {
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

/** @param {string} lockFile @returns {{ pid: number | undefined, ageMs: number } | undefined} nothing when it has just gone */
function readHolder(lockFile) {
  try {
    const pid = Number(readFileSync(lockFile, "utf8"));
    const ageMs = Date.now() - statSync(lockFile).mtimeMs;
    return { pid: Number.isInteger(pid) && pid > 0 ? pid : undefined, ageMs };
  } catch {
    return undefined;
  }
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
