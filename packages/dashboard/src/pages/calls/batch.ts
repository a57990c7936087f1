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

/** The poll interval in milliseconds per number: a batch of ten thousand numbers is polled every ten seconds. */
const POLL_MS_A_NUMBER = 1;

/** The interval at which a batch is polled, `leastMs` or more, in milliseconds. */
export function pollMsOf({ totalCalls }: Pick<Batch, "totalCalls">, leastMs: number): number {
  return Math.max(leastMs, totalCalls * POLL_MS_A_NUMBER);
}
