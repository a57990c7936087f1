// The daily totals of a tenant's messages, updated as they are charged: reports never scan the messages.

import { counterText } from "./counters/counters.ts";
import { addToDayBatch } from "./counters/postgres.ts";
import type { Channel } from "./merchants.ts";
import { batchStatement } from "./statement.ts";
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

export const addToDayStatement = batchStatement({
  params: {
    tenantId: "bigint",
    day: "text",
    channel: "text",
    units: "bigint",
    providerCostMicros: "bigint",
    markupMicros: "bigint",
  },
  one: counterText("addToDay"),
  batch: { kind: "writes", order: "daily_totals", sql: addToDayBatch },
});

/** Adds one charged message to its day, in the transaction that charges it. */
export async function addToDay(tx: Transaction, day: DayKey, charged: Total): Promise<void> {
  const saved = await tx.run(addToDayStatement(day, charged));
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
