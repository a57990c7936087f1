// The daily totals of a tenant's messages, updated as they are charged: reports never scan the messages.

import { addOnceInTurns, dayCounters } from "./counter-turns.ts";
import type { Channel } from "./merchants.ts";
import { RunAgain, type Transaction } from "./store.ts";

export interface DayKey {
  readonly tenantId: number;
  readonly channel: Channel;
  /** `YYYY-MM-DD` of the message's acceptance, in the tenant's time zone. */
  readonly day: string;
}

export interface Total {
  readonly units: number;
  readonly providerCostMicros: number;
  readonly markupMicros: number;
}

const addAtOnceStatement = `
  INSERT INTO daily_totals (tenant_id, day, channel, units, provider_cost_micros, markup_micros)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (tenant_id, day, channel) DO UPDATE SET units = daily_totals.units + excluded.units,
    provider_cost_micros = daily_totals.provider_cost_micros + excluded.provider_cost_micros,
    markup_micros = daily_totals.markup_micros + excluded.markup_micros`;

/** Has a set form. */
export const addToDayStatement = addOnceInTurns(dayCounters, ["$4", "$5", "$6"], "SELECT units FROM saved");

/** Adds one charged message to its day, in the transaction that charges it. */
export async function addToDay(tx: Transaction, { tenantId, channel, day }: DayKey, charged: Total): Promise<void> {
  const { units, providerCostMicros, markupMicros } = charged;
  const statement = tx.dialect.keepsVersions ? addToDayStatement : addAtOnceStatement;
  const saved = await tx.run(statement, tenantId, day, channel, units, providerCostMicros, markupMicros);
  if (saved === 0) throw new RunAgain("a counter has begun a new turn");
}

/** The sum of each channel over the days from `from` to `to`, both inclusive. */
export function sumDays(
  tx: Transaction,
  tenantId: number,
  { from, to }: { from: string; to: string },
): Promise<(Total & { channel: Channel })[]> {
  return tx.all(
    `SELECT channel, CAST(SUM(units) AS BIGINT) AS units,
            CAST(SUM(provider_cost_micros) AS BIGINT) AS "providerCostMicros",
            CAST(SUM(markup_micros) AS BIGINT) AS "markupMicros"
       FROM daily_totals WHERE tenant_id = $1 AND day >= $2 AND day <= $3 GROUP BY channel`,
    tenantId,
    from,
    to,
  );
}
