// Allows one set-up of this checkout at a time: two installs in one folder corrupt each other.

import { mkdirSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
const BEAT_MS = 1_000;
/** Not decided by a process id: in a container, that of a dead process is soon another's. */
const SILENT_MS = 10_000;

/**
 * Does `work` while no other process holds the folder, and releases it afterwards. The holder renews its lock every second;
 * a lock that is ten seconds old belongs to a killed process, and is taken over.
 *
 * @param {string} folder
 * @param {() => Promise<void>} work
 * @param {() => void} onWait told once, where there is somebody to wait for
 */
export async function inTurn(folder, work, onWait) {
  mkdirSync(dirname(folder), { recursive: true });
  for (let isTold = false; !attempt(() => mkdirSync(folder), "EEXIST"); isTold = true) {
    if (!isTold) onWait();
    const renewed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - renewed > SILENT_MS) release();
    // after that too: another process that found it silent must not remove a lock that somebody has taken since
    await sleep(POLL_MS);
  }
  const beat = setInterval(() => attempt(() => utimesSync(folder, new Date(), new Date()), "ENOENT"), BEAT_MS);
  process.once("exit", release);
  try {
    await work();
  } finally {
    clearInterval(beat);
    process.off("exit", release);
    release();
  }
  function release() {
    attempt(() => rmdirSync(folder), "ENOENT");
  }
}

/** @param {() => void} act @param {string} expected what it may fail with @returns whether it did not */
function attempt(act, expected) {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === expected) return false;
    throw error;
  }
}
