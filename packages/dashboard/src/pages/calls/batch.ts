import type { ResponseOf } from "@msgctl/contract";

type Batch = ResponseOf<"getTtsBatchSummary">;

/** The counters of a batch, which together are all its calls, by the outcome that its numbers are listed by. */
export const counters = [
  ["SUCCESS", "success"],
  ["PARTIAL", "partial"],
  ["FAILED", "failed"],
  ["PENDING", "pending"],
  ["SCHEDULED", "scheduled"],
] as const satisfies readonly (readonly [string, keyof Batch])[];

/** Whether nothing of it changes any more: all have ended and are priced. */
export function isBatchOver({
  completedAt,
  provisionalCount,
}: Pick<Batch, "completedAt" | "provisionalCount">): boolean {
  return completedAt !== null && provisionalCount === 0;
}
