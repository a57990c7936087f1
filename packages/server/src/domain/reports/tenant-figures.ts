// Counts each tenant's messages for operators. The counts contain neither recipients nor texts.

import { queueOf } from "../../store/queue/engine.ts";
import type { QueueScan } from "../../store/queue/queue.ts";
import type { Transaction } from "../../store/store.ts";
import { sumDays } from "../billing/rows.ts";
import { localDate, periodStart, startOfDay } from "../calendar.ts";
import { sumBatchCosts } from "../calls/batch-rows.ts";
import { HOUR_MS } from "../messages/list-rows.ts";
import { lowestMessageId } from "../messages/rules.ts";
import type { TenantRow } from "../tenancy/rows.ts";
import { countTenantDispatches } from "./backlog-rows.ts";

/** How many of the newest messages are counted by tenant. */
export const MOST_RECENT = 10_000;
/** Limit of the counts of a tenant's waiting messages, and of its batches. */
export const MOST_OF_TENANT = 1_000;

/** The messages that were accepted last. */
export interface RecentMessages {
  /** Since when they are counted, in epoch milliseconds: for an hour or, if there were more, since the oldest counted. */
  readonly since: number;
  /** How many each tenant has, the most first. Tenants without any are left out. */
  readonly counts: readonly { readonly tenantId: number; readonly accepted: number }[];
}

/** Counts the messages of the last hour by tenant, `MOST_RECENT` at most. */
export async function countRecent(tx: Transaction, now: number): Promise<RecentMessages> {
  const hourAgo = now - HOUR_MS;
  const rows = await tx.all<{ tenantId: number; accepted: number; oldestAt: number }>(
    `SELECT tenant_id AS "tenantId", COUNT(*) AS accepted, MIN(created_at) AS "oldestAt" FROM
      (SELECT tenant_id, created_at FROM messages WHERE message_id >= $1 ORDER BY message_id DESC LIMIT $2) AS newest
     GROUP BY tenant_id ORDER BY accepted DESC, tenant_id`,
    lowestMessageId(hourAgo),
    MOST_RECENT,
  );
  const counted = rows.reduce((sum, { accepted }) => sum + accepted, 0);
  const since = counted < MOST_RECENT ? hourAgo : Math.max(hourAgo, Math.min(...rows.map(({ oldestAt }) => oldestAt)));
  return { since, counts: rows.map(({ tenantId, accepted }) => ({ tenantId, accepted })) };
}

/** A tenant's messages. Counts of waiting ones stop at `MOST_OF_TENANT`. */
export interface TenantFigures {
  readonly smsSegments: number;
  readonly emails: number;
  readonly calls: number;
  readonly hasMoreCalls: boolean;
  /** Messages that no carrier has accepted yet. */
  readonly queued: { readonly count: number; readonly isMore: boolean };
  /** When the oldest of these was accepted, in epoch milliseconds; null if there is none. */
  readonly queuedSince: number | null;
  /** Messages that a carrier may or may not have accepted. */
  readonly inDoubt: { readonly count: number; readonly isMore: boolean };
}

/** Counts what a tenant sent this month, and its waiting messages. */
export async function readTenantFigures(
  tx: Transaction,
  { tenantId, timezone }: Pick<TenantRow, "tenantId" | "timezone">,
  { now, scan }: { now: number; scan: QueueScan },
): Promise<TenantFigures> {
  const from = periodStart(now, timezone);
  const totals = await sumDays(tx, tenantId, { from, to: localDate(now, timezone) });
  const unitsOf = (wanted: string) => totals.find(({ channel }) => channel === wanted)?.units ?? 0;
  const asked = { tenantId, merchantId: null, from: startOfDay(from, timezone), most: MOST_OF_TENANT };
  const { calls, batches } = await sumBatchCosts(tx, asked);
  const dispatches = await countTenantDispatches(tx, tenantId, MOST_OF_TENANT);
  const queue = await queueOf(tx).countOf(tx, { tenantId, most: MOST_OF_TENANT, scan });
  const moments = [queue.since, dispatches.waitingSince].filter((at) => at !== null);
  return {
    ...{ smsSegments: unitsOf("SMS"), emails: unitsOf("EMAIL"), calls, hasMoreCalls: batches === MOST_OF_TENANT },
    queued: { count: queue.count + dispatches.waiting, isMore: queue.isMore || dispatches.isMore },
    queuedSince: moments.length === 0 ? null : Math.min(...moments),
    inDoubt: { count: dispatches.inDoubt, isMore: dispatches.isMore },
  };
}
