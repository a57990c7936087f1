// Injected into the server in process: replaces each use of a global timer in a bundled library.

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
