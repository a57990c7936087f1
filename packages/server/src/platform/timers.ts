// Node.js's timers, captured when this module loads. So a test that later fakes the global timers cannot stop the server.
// test/house/timers.test.ts finds uses of the global timers.

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
