import { setFlagsFromString } from "node:v8";

/** By how much of what is alive the heap may grow before all of it is collected. */
const GROWTH_PERCENT = 100;

/**
 * Bounds the garbage of this process. V8 lets a small heap grow to four times of what is alive, so that a caller whose
 * requests are large would have the server hold 100 MB of what nobody needs any more (docs/decisions/0028).
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
