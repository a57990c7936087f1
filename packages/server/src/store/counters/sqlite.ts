// Counters on SQLite: one row per key.

import { released } from "./released.ts";

const isUsage = "tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND period = $4";

export const sqliteCounters = {
  rowColumns: "",
  rowKey: "",

  joinUsage: (period: string) => `LEFT JOIN usage u ON u.tenant_id = q.tenant_id AND u.merchant_id = q.merchant_id
    AND u.channel = q.channel AND u.period = ${period}`,

  reserve: `
    INSERT INTO usage (tenant_id, merchant_id, channel, period, used, reserved, credit_units)
    VALUES ($1, $2, $3, $4, 0, $5, $6)
    ON CONFLICT (tenant_id, merchant_id, channel, period) DO UPDATE
      SET reserved = usage.reserved + excluded.reserved, credit_units = usage.credit_units + excluded.credit_units`,

  settle: `
    UPDATE usage SET used = used + $5, reserved = reserved - $5
     WHERE ${isUsage} AND used + $5 < $6
       AND $7 = (SELECT monthly_limit FROM quotas WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3)`,

  release: `UPDATE usage SET reserved = reserved - $5 WHERE ${isUsage} RETURNING ${released}`,

  releaseUnpaid: `UPDATE usage SET reserved = reserved - $5 WHERE ${isUsage} AND credit_units = 0`,

  returnCredits: `UPDATE usage SET credit_units = credit_units - $5 WHERE ${isUsage}`,

  addToDay: `
    INSERT INTO daily_totals (tenant_id, day, channel, units, provider_cost_micros, markup_micros)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (tenant_id, day, channel) DO UPDATE SET units = daily_totals.units + excluded.units,
      provider_cost_micros = daily_totals.provider_cost_micros + excluded.provider_cost_micros,
      markup_micros = daily_totals.markup_micros + excluded.markup_micros`,
};
