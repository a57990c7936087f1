// Preloaded into a server (`node --import …/probe.mjs`) that has a channel to its parent. Measures each turn of the event
// loop: from the immediates of one round to those of the next, without the time in which the loop sleeps.

import { openSync, readSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;

/**
 * @typedef {object} TurnFigures
 * @property {number} turns
 * @property {number} longestCpuMs Longest CPU time of the main thread in one turn; NaN if the system does not report it.
 * @property {number} longestBusyMs The longest turn, in wall-clock time.
 */

// a worker inherits the preloads of its process
if (isMainThread) watchTurns();

function watchTurns() {
  const readCpuMs = openThreadClock();
  let turns = 0;
  let longestCpuMs = 0;
  let longestBusyMs = 0;
  let cpuBefore = readCpuMs();
  let busyBefore = readBusyMs();

  // an unreferenced immediate runs once per round, and keeps the loop neither awake nor alive
  (function endTurn() {
    const cpu = readCpuMs();
    const busy = readBusyMs();
    turns += 1;
    longestCpuMs = Math.max(longestCpuMs, cpu - cpuBefore);
    longestBusyMs = Math.max(longestBusyMs, busy - busyBefore);
    cpuBefore = cpu;
    busyBefore = busy;
    setImmediate(endTurn).unref();
  })();

  process.on("message", (asked) => {
    if (asked === "begin") turns = longestCpuMs = longestBusyMs = 0;
    // the turn before this message is counted only in the next immediate
    setImmediate(() => process.send?.({ turns, longestCpuMs, longestBusyMs }));
  });
  process.channel?.unref();
}

function readBusyMs() {
  return performance.now() - performance.nodeTiming.idleTime;
}

/**
 * Opens a clock of the main thread's CPU time in milliseconds, which other work of the machine does not affect.
 * @returns {() => number}
 */
function openThreadClock() {
  try {
    const file = openSync(SCHEDSTAT, "r");
    const text = Buffer.alloc(96);
    return () => {
      // makes the kernel update its count immediately, instead of at the next tick
      process.cpuUsage();
      return Number.parseInt(text.toString("latin1", 0, readSync(file, text, 0, text.length, 0)), 10) / 1e6;
    };
  } catch {
    return () => Number.NaN;
  }
}
