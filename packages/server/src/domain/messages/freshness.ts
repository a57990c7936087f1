// Whether the figures of a report can still change.

import type { Schemas } from "@msgctl/contract";

/**
 * FINAL only when the range is past and no message of it can still be charged, or was charged without a final state less
 * than 72 hours ago. `to` and `today` are days, `YYYY-MM-DD`.
 */
export function judgeFreshness(range: {
  readonly to: string;
  readonly today: string;
  readonly hasOpenItems: boolean;
  readonly hasUsage: boolean;
}): { readonly state: Schemas["FreshnessState"]; readonly reason: Schemas["FreshnessReason"] } {
  if (range.to >= range.today) return { state: "PROVISIONAL", reason: "PERIOD_OPEN" };
  if (range.hasOpenItems) return { state: "PROVISIONAL", reason: "PROVIDER_FINALIZATION_PENDING" };
  return { state: "FINAL", reason: range.hasUsage ? "SETTLED" : "NO_USAGE" };
}
