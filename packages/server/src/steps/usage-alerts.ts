// Alerts on a merchant's usage: each threshold once a month, however it was reached.

import { crossedThresholds } from "../rules/quota.ts";
import { insertAlert } from "../store/alerts.ts";
import type { Transaction } from "../store/store.ts";
import type { UsageKey } from "../store/usage.ts";

/** Raises an alert for each threshold that usage has crossed. */
export async function raiseUsageAlerts(
  tx: Transaction,
  { tenantId, merchantId, channel, period }: UsageKey,
  use: { limit: number; usedBefore: number; usedAfter: number; now: number },
): Promise<void> {
  const { limit, usedAfter: used, now } = use;
  for (const { percent, severity } of crossedThresholds(use)) {
    await insertAlert(tx, {
      tenantId,
      merchantId,
      channel,
      alertType: "USAGE_THRESHOLD",
      severity,
      message: `${channel} usage has reached ${percent} % of the monthly limit: ${used} of ${limit}.`,
      thresholdPercent: percent,
      occurrence: `${period}:${percent}`,
      now,
    });
  }
}
