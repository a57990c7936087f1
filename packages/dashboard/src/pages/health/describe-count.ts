import type { Views } from "../../api.ts";

/** Describes a number that was counted up to a bound. */
export function describeCount({ count, isMore }: Views["BoundedCount"]): string {
  return `${count.toLocaleString()}${isMore ? " or more" : ""}`;
}
