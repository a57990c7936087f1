import { describe, expect, it } from "vitest";
import { judgeFreshness } from "./freshness.ts";

describe("judgeFreshness", () => {
  it.each([
    ["2026-01-15", false, true, "PROVISIONAL", "PERIOD_OPEN"],
    ["2026-01-16", false, false, "PROVISIONAL", "PERIOD_OPEN"],
    ["2026-02-01", true, true, "PROVISIONAL", "PERIOD_OPEN"],
    ["2026-01-14", true, true, "PROVISIONAL", "PROVIDER_FINALIZATION_PENDING"],
    ["2026-01-14", true, false, "PROVISIONAL", "PROVIDER_FINALIZATION_PENDING"],
    ["2026-01-14", false, true, "FINAL", "SETTLED"],
    ["2025-12-31", false, false, "FINAL", "NO_USAGE"],
  ])(
    "for a range until %s (has open items: %s, has usage: %s), returns %s because of %s",
    (to, hasOpenItems, hasUsage, state, reason) => {
      expect(judgeFreshness({ to, today: "2026-01-15", hasOpenItems, hasUsage })).toEqual({ state, reason });
    },
  );
});
