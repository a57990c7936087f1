import { setFlagsFromString } from "node:v8";

/** Growth of the heap beyond its live objects before a full collection. */
const GROWTH_PERCENT = 100;

/** Bounds the garbage of this process: V8 lets a small heap grow to four times its live size (docs/decisions/0028). */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
