// Allows only one set-up of this checkout at a time, because two installs in one folder corrupt each other.

import { mkdirSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
const BEAT_MS = 1_000;
/** A lock expires by its age, not by its process id: in a container, another process soon gets the id of a dead one. */
const SILENT_MS = 10_000;

/**
 * Runs `work` while holding the lock `folder`, and releases it afterwards. The holder renews its lock every second; a lock
 * that is ten seconds old belongs to a killed process, and is taken over.
 *
 * @param {string} folder
 * @param {() => Promise<void>} work
 * @param {() => void} onWait called once if another process holds the lock
 */
export async function inTurn(folder, work, onWait) {
  mkdirSync(dirname(folder), { recursive: true });
  for (let isTold = false; !attempt(() => mkdirSync(folder), "EEXIST"); isTold = true) {
    if (!isTold) onWait();
    const renewed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (Date.now() - renewed > SILENT_MS) release();
    // Wait even after removing an expired lock: otherwise a process that saw the same expired lock could remove a new one.
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

/** @param {() => void} act @param {string} expected the error code with which it may fail @returns whether it succeeded */
function attempt(act, expected) {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === expected) return false;
    throw error;
  }
}
