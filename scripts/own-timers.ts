// Injected into the in-process server: replaces every use of a global timer in bundled libraries.

import { nextTick } from "../packages/server/src/platform/timers.ts";

export {
  clearImmediate,
  clearInterval,
  clearTimeout,
  queueMicrotask,
  setImmediate,
  setInterval,
  setTimeout,
} from "../packages/server/src/platform/timers.ts";
export { nextTick as "process.nextTick" };
