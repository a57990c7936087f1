import { monotonicFactory } from "ulid";
import { type Randomness, systemRandomness } from "./randomness.ts";

/** Random bytes are drawn in pages, because each id would otherwise take 16 calls, one per digit. */
const PAGE_BYTES = 4_096;

/** Returns a generator of ids such as `msg_01J9Z3…`: a prefix and a ULID, so that they sort by creation time. */
export function createIds({
  bytes,
}: Pick<Randomness, "bytes"> = systemRandomness): (prefix: "msg" | "pay", now: number) => string {
  let page = bytes(PAGE_BYTES);
  let used = 0;
  const ulid = monotonicFactory(() => {
    if (used === PAGE_BYTES) {
      page = bytes(PAGE_BYTES);
      used = 0;
    }
    const byte = page[used] ?? 0;
    used += 1;
    return byte / 256;
  });
  return (prefix, now) => `${prefix}_${ulid(now)}`;
}
