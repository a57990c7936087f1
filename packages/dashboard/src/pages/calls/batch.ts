import type { ResponseOf } from "@msgctl/contract";

type Batch = ResponseOf<"getTtsBatchSummary">;

/** The counters of a batch, which add up to all its calls, each with the outcome that filters its list of numbers. */
export const counters = [
  ["SUCCESS", "success"],
  ["PARTIAL", "partial"],
  ["FAILED", "failed"],
  ["PENDING", "pending"],
  ["SCHEDULED", "scheduled"],
] as const satisfies readonly (readonly [string, keyof Batch])[];

/** Whether nothing in the batch changes any more: all calls have ended and are priced. */
export function isBatchOver({
  completedAt,
  provisionalCount,
}: Pick<Batch, "completedAt" | "provisionalCount">): boolean {
  return completedAt !== null && provisionalCount === 0;
}
