import type { Views } from "../../api.ts";

/** Formats a count that may have stopped at a bound. */
export function describeCount({ count, isMore }: Views["BoundedCount"]): string {
  return `${count.toLocaleString()}${isMore ? " or more" : ""}`;
}
