// What waits for the operator, who settles payments and decides on registrations of live tenants. Those of test tenants
// are in the same indexes while their simulation lasts, so these are read tenant by tenant.

import type { Transaction } from "./store.ts";

/** How each table tells what is open, and since when. Migration 48 has an index of each. */
const kinds = {
  payments: { isOpen: "status = 'PENDING' AND begun_at IS NULL", since: "created_at" },
  brands: {
    isOpen: "status IN ('PENDING', 'IN_REVIEW') AND review_started_at IS NOT NULL",
    since: "review_started_at",
  },
  campaigns: { isOpen: "status = 'PENDING' AND review_started_at IS NOT NULL", since: "review_started_at" },
  numbers: {
    isOpen: "assignment_status = 'PENDING_ASSIGNMENT' AND assignment_started_at IS NOT NULL",
    since: "assignment_started_at",
  },
} as const;

type WaitingKind = keyof typeof kinds;
const registrations = ["brands", "campaigns", "numbers"] as const;

/** Tenants with open rows among which live ones are looked for. */
const MOST_TENANTS = 1_000;

export interface Waiting {
  /** No larger than was asked for. */
  readonly count: number;
  /** Since when the first of them waits, in epoch milliseconds; null without one. */
  readonly since: number | null;
}

/** Which rows of a table are open, in SQL. */
export function openOf(kind: WaitingKind): string {
  return kinds[kind].isOpen;
}

/** Counts the payments of live tenants, or of one of them, that wait for the operator. */
export function countWaitingPayments(
  tx: Transaction,
  request: { readonly tenantId?: number; readonly most: number },
): Promise<Waiting> {
  return countWaiting(tx, "payments", request);
}

/** The same for brands, campaigns and numbers. */
export async function countWaitingRegistrations(
  tx: Transaction,
  request: { readonly tenantId?: number; readonly most: number },
): Promise<Waiting> {
  let all: Waiting = { count: 0, since: null };
  for (const kind of registrations) {
    const { count, since } = await countWaiting(tx, kind, { ...request, most: request.most - all.count });
    all = {
      count: all.count + count,
      since: all.since === null || (since !== null && since < all.since) ? since : all.since,
    };
  }
  return all;
}

async function countWaiting(
  tx: Transaction,
  kind: WaitingKind,
  { tenantId, most }: { readonly tenantId?: number; readonly most: number },
): Promise<Waiting> {
  const row =
    tenantId === undefined
      ? await tx.get<Waiting>(ofAll[kind], most, MOST_TENANTS)
      : await tx.get<Waiting>(ofTenant[kind], most, tenantId);
  return row ?? { count: 0, since: null };
}

const statements = (make: (kind: WaitingKind) => string) =>
  Object.fromEntries(Object.keys(kinds).map((kind) => [kind, make(kind as WaitingKind)])) as Record<
    WaitingKind,
    string
  >;

const ofTenant = statements((kind) => {
  const rows = `FROM ${kind} o CROSS JOIN tenants t
    WHERE o.tenant_id = $2 AND ${kinds[kind].isOpen} AND t.tenant_id = $2 AND t.mode = 'live'`;
  return `
  SELECT (SELECT COUNT(*) FROM (SELECT 1 ${rows} LIMIT $1) AS counted) AS count,
         (SELECT o.${kinds[kind].since} ${rows} ORDER BY o.${kinds[kind].since} LIMIT 1) AS since`;
});

const nextTenant = (kind: WaitingKind, behind: string) =>
  `(SELECT MIN(tenant_id) FROM ${kind} WHERE ${kinds[kind].isOpen} AND tenant_id > ${behind})`;

// from each tenant to the next, past all rows behind the first of each
const ofAll = statements(
  (kind) => `
  WITH RECURSIVE walk (tenant_id, number) AS (
    SELECT ${nextTenant(kind, "0")}, 1
    UNION ALL
    SELECT ${nextTenant(kind, "walk.tenant_id")}, walk.number + 1
      FROM walk WHERE walk.tenant_id IS NOT NULL AND walk.number < $2
  ),
  live AS (SELECT t.tenant_id FROM walk JOIN tenants t ON t.tenant_id = walk.tenant_id WHERE t.mode = 'live')
  SELECT (SELECT COUNT(*) FROM
           (SELECT 1 FROM live CROSS JOIN ${kind} o WHERE o.tenant_id = live.tenant_id AND ${kinds[kind].isOpen}
             LIMIT $1) AS counted) AS count,
         (SELECT MIN((SELECT MIN(o.${kinds[kind].since}) FROM ${kind} o
                       WHERE o.tenant_id = live.tenant_id AND ${kinds[kind].isOpen})) FROM live) AS since`,
);
