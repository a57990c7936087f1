// Backlogs as the dashboard shows them.

import { CHANNEL_VALUES } from "@msgctl/contract/constants";
import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import { MOST_COUNTED } from "../domain/reports/backlog-rows.ts";
import { countUncarried } from "../domain/reports/tenant-carriers.ts";
import type { Transaction } from "../store/store.ts";

/** Lists the channels whose messages wait because they have no carrier, of one tenant or, with `EVERY_TENANT`, of all. */
export async function listUncarried(tx: Transaction, tenantId: number): Promise<Views["UncarriedChannel"][]> {
  const found: Views["UncarriedChannel"][] = [];
  for (const channel of CHANNEL_VALUES) {
    const { waiting, oldestAt } = await countUncarried(tx, tenantId, channel);
    if (waiting > 0) found.push({ channel, waiting: toCount(waiting), since: viewTime(oldestAt) });
  }
  return found;
}

/** Converts a count that stops at `MOST_COUNTED`. */
export function toCount(count: number): Views["BoundedCount"] {
  return { count, isMore: count === MOST_COUNTED };
}
