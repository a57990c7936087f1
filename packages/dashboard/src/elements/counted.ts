import type { Views } from "../api.ts";

/** A count with its noun, in the reader's digits: "1 email", "1,000 emails". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

/** A count, with its noun if it has one. If counting stopped at its limit, appends "or more". */
export function describeCount({ count, isMore }: Views["BoundedCount"], noun?: string): string {
  const words = noun === undefined ? count.toLocaleString() : counted(count, noun);
  return `${words}${isMore ? " or more" : ""}`;
}
