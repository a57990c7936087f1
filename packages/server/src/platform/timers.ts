// Node.js's own timers, captured when this module loads. A test that fakes the global ones afterwards cannot stop what runs
// in its process. test/house/timers.test.ts finds any use that goes past this module.

import perfHooks from "node:perf_hooks";
import timers from "node:timers";
import timersPromises from "node:timers/promises";

export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = timers;
export const { queueMicrotask } = globalThis;
export const { nextTick } = process;

const own = perfHooks.performance;
export const performance = {
  now: own.now.bind(own),
  eventLoopUtilization: own.eventLoopUtilization.bind(own),
  nodeTiming: own.nodeTiming,
} as const;

/** Resolves after `ms`; rejects once `signal` is aborted. */
export const sleep = timersPromises.setTimeout;
/** Resolves in a later turn of the event loop. */
export const turnOver = timersPromises.setImmediate;
