// Checks of usage, credits and payments once all work of a world has ended.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "../plan/durations.ts";
import type { Plan } from "../plan/plan.ts";
import type { Database } from "../world/database.ts";
import { merchantOf } from "../world/requests.ts";
import { Violation } from "./violation.ts";

/** Largest time by which a tenant's time zone is behind UTC. */
const FARTHEST_ZONE_MS = 8 * HOUR_MS;
/** Time limit of an unobstructed payment. */
const PAYMENT_MS = 5 * MINUTE_MS;
const THRESHOLDS = [50, 80, 90, 100];

interface UsageRow {
  readonly merchantId: string;
  readonly channel: string;
  readonly period: string;
  readonly limit: number;
  readonly used: number;
  readonly reserved: number;
  readonly credits: number;
}

const usage = `
  SELECT u.merchant_id AS "merchantId", u.channel, u.period, q.monthly_limit AS "limit", u.used, u.reserved,
         u.credit_units AS credits
    FROM usage u JOIN quotas q ON q.tenant_id = u.tenant_id AND q.merchant_id = u.merchant_id AND q.channel = u.channel`;

/**
 * Credits pay for exactly the units beyond the month's allowance, unless the allowance was changed. A call may be longer
 * than its reservation.
 */
export async function checkAllowances(database: Database, { acts }: Plan): Promise<void> {
  const changed = new Set(acts.flatMap((act) => (act.kind === "limits" ? merchantOf(act.merchant).merchantId : [])));
  for (const row of await database.all<UsageRow>(usage)) {
    const { merchantId, channel, limit, used, reserved, credits } = row;
    if (changed.has(merchantId)) continue;
    const excess = Math.max(0, used + reserved - limit);
    if (credits > excess) throw new Violation("the allowance is used before the credits", JSON.stringify(row));
    if (credits < excess && channel !== "VOICE")
      throw new Violation("nothing is accepted beyond allowance and credits", JSON.stringify(row));
  }
}

/** Each threshold that usage has reached raised an alert. Checked only in worlds that stay within one month. */
export async function checkThresholds(database: Database, { startsAt, calmFromMs, awayMs }: Plan): Promise<void> {
  const monthOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, "2026-01".length);
  if (monthOf(startsAt - FARTHEST_ZONE_MS) !== monthOf(startsAt + calmFromMs + awayMs + DAY_MS)) return;
  const alerts = await database.all<{ merchantId: string; channel: string; occurrence: string }>(
    `SELECT merchant_id AS "merchantId", channel, occurrence FROM alerts WHERE alert_type = 'USAGE_THRESHOLD'`,
  );
  const told = new Set(alerts.map(({ merchantId, channel, occurrence }) => `${merchantId} ${channel} ${occurrence}`));
  for (const row of await database.all<UsageRow>(usage)) {
    const { merchantId, channel, period, limit, used } = row;
    if (limit === 0) continue;
    for (const percent of THRESHOLDS) {
      if (used * 100 < limit * percent || told.has(`${merchantId} ${channel} ${period}:${percent}`)) continue;
      throw new Violation("each threshold that usage reaches raises an alert", JSON.stringify({ ...row, percent }));
    }
  }
}

/** Once faults have stopped, a payment ends soon if its processor always answers. */
export async function checkPayments(database: Database, plan: Plan): Promise<void> {
  const { acts, rates, startsAt, calmFromMs, awayMs, engine, pollIntervalMs } = plan;
  const isSilent = "carrier is not reached" in rates || "carrier's answer is lost" in rates;
  if (isSilent || acts.some(({ kind }) => kind === "pause" || kind === "jump" || kind === "restore")) return;
  // work that an instance left is found at another instance's next poll
  const looksMs = engine === "file" ? 0 : 2 * pollIntervalMs;
  const latest = startsAt + calmFromMs + awayMs + looksMs + PAYMENT_MS;
  const payments = await database.all<{ id: string; endedAt: number }>(
    `SELECT payment_id AS id, updated_at AS "endedAt" FROM payments`,
  );
  for (const { id, endedAt } of payments) {
    if (endedAt > latest) throw new Violation("a payment ends soon", `${id} ended ${endedAt - latest} ms too late`);
  }
}
