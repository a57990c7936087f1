import type { ResponseOf } from "@msgctl/contract";

type Batch = ResponseOf<"getTtsBatchSummary">;

/** The counters of a batch, each with the outcome of the calls that it counts. Together they count every call. */
export const counters = [
  ["SUCCESS", "success"],
  ["PARTIAL", "partial"],
  ["FAILED", "failed"],
  ["PENDING", "pending"],
  ["SCHEDULED", "scheduled"],
] as const satisfies readonly (readonly [string, keyof Batch])[];

/** Whether the batch is final: all of its calls have ended and are priced. */
export function isBatchOver({
  completedAt,
  provisionalCount,
}: Pick<Batch, "completedAt" | "provisionalCount">): boolean {
  return completedAt !== null && provisionalCount === 0;
}
