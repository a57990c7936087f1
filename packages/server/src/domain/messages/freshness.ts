// Judges whether the figures of a report can still change.

import type { Schemas } from "@msgctl/contract";

/**
 * Returns FINAL if the range is past and has no open items: no message that can still be charged, nor one charged less
 * than 72 hours ago without a final state. `to` and `today` are dates, `YYYY-MM-DD`.
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
