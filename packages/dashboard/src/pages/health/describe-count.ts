import type { Views } from "../../api.ts";

/** Formats a count. If counting stopped at its limit, appends "or more". */
export function describeCount({ count, isMore }: Views["BoundedCount"]): string {
  return `${count.toLocaleString()}${isMore ? " or more" : ""}`;
}
