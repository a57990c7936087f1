// One set-up of this checkout at a time: two installs in one folder spoil each other.

import { mkdirSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const POLL_MS = 200;
const BEAT_MS = 1_000;
/** Not asked of a process's number: in a container, that of one which died is soon another's. */
const SILENT_MS = 10_000;

/**
 * Does `work` while no other process holds the folder, and lets go of it afterwards. Whoever holds it renews it every second;
 * one that is ten seconds old is a killed process's, and is taken over.
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
    // after that too: another that found it silent must not remove what somebody has taken since
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
