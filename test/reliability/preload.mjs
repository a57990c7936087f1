// Preloaded into a built server (`node --import …/preload.mjs`) by tests that need events that no machine produces on demand:
// a disk that fails a flush, and a clock that is set forward. The test requests them over the process's message channel.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

/**
 * @typedef {"fail the next flush" | { setForwardMs: number }} Order
 * "fail the next flush" is answered when a flush has failed.
 */

/**
 * Timers of this length are shortened, because tests cannot wait for a check of the clock that runs every half minute. Other
 * timers keep their length: the check wakes longer sleeps, and time limits of answers stay the same.
 */
const LOOK_AGAIN_MS = 30_000;
const SHORTENED = 30;

// a worker inherits the preloads of its process
if (isMainThread) {
  const clock = shiftDate(Number(new URL(import.meta.url).searchParams.get("offsetMs") ?? 0));
  const disk = wrapFlush();
  shortenLookAgain();
  process.on("message", (/** @type {Order} */ order) => {
    if (typeof order === "string") return disk.failNext(() => process.send?.("done"));
    clock.offsetMs += order.setForwardMs;
    process.send?.("done");
  });
  process.channel?.unref();
}

/**
 * Shifts only the time of day. Timers are not affected, as on a machine whose clock is set.
 * @param {number} offsetMs
 */
function shiftDate(offsetMs) {
  const clock = { offsetMs };
  const { now } = Date;
  const SystemDate = Date;
  Date.now = () => now() + clock.offsetMs;
  globalThis.Date = new Proxy(SystemDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [Date.now()] : given, made),
    apply: () => new SystemDate(Date.now()).toString(),
  });
  return clock;
}

function wrapFlush() {
  const { fdatasync } = fs;
  /** @type {(() => void) | undefined} */
  let hasFailed;
  fs.fdatasync = Object.assign((/** @type {number} */ handle, /** @type {fs.NoParamCallback} */ done) => {
    const tell = hasFailed;
    if (tell === undefined) return fdatasync(handle, done);
    hasFailed = undefined;
    setImmediate(() => {
      done(Object.assign(new Error("EIO: i/o error, fdatasync"), { errno: -5, code: "EIO", syscall: "fdatasync" }));
      tell();
    });
  }, fdatasync);
  syncBuiltinESMExports();
  return {
    /** @param {() => void} tell */
    failNext(tell) {
      hasFailed = tell;
    },
  };
}

function shortenLookAgain() {
  const { setTimeout } = globalThis;
  const shortened = (/** @type {() => void} */ run, /** @type {number | undefined} */ ms = 0) =>
    setTimeout(run, ms === LOOK_AGAIN_MS ? ms / SHORTENED : ms);
  globalThis.setTimeout = Object.assign(shortened, setTimeout);
}
