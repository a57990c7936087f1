// How many messages a carrier may be given now, whoever of the instances gives them: a bucket that fills at its rate, kept
// as the time at which it is full.

import type { Transaction } from "./store.ts";

export interface Rate {
  /** Whose: a carrier's name, or that and a tenant's. */
  readonly subject: string;
  readonly perSecond: number;
}

/** What fits in a bucket: what comes in half a second, and one. */
const BURST_US = 500_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;

export interface Allowance {
  /** How many may be given now. */
  readonly count: number;
  /** When the next may, in epoch milliseconds, if none may now. */
  readonly nextAt: number;
}

/** What a rate allows at `now`. Its row is held until the transaction ends. */
export async function findAllowance(tx: Transaction, { subject, perSecond }: Rate, now: number): Promise<Allowance> {
  const row = await tx.get<{ fullAt: number }>(
    `SELECT full_at AS "fullAt" FROM carrier_rates WHERE subject = $1 FOR UPDATE`,
    subject,
  );
  const eachUs = US_PER_SECOND / perSecond;
  const emptyUs = Math.max((row?.fullAt ?? 0) - now * US_PER_MS, 0);
  const count = Math.max(Math.floor((BURST_US + eachUs - emptyUs) / eachUs), 0);
  const waitUs = Math.max(emptyUs - BURST_US, 0);
  return { count, nextAt: now + Math.max(Math.ceil(waitUs / US_PER_MS), 1) };
}

/** Takes `count` out of the bucket. */
export async function useAllowance(
  tx: Transaction,
  { subject, perSecond }: Rate,
  { count, now }: { count: number; now: number },
): Promise<void> {
  const usedUs = Math.round((count * US_PER_SECOND) / perSecond);
  const nowUs = now * US_PER_MS;
  await tx.run(
    `INSERT INTO carrier_rates (subject, full_at) VALUES ($1, $2)
     ON CONFLICT (subject) DO UPDATE SET full_at =
       CASE WHEN carrier_rates.full_at > $3 THEN carrier_rates.full_at ELSE $3 END + $4`,
    subject,
    nowUs + usedUs,
    nowUs,
    usedUs,
  );
}
