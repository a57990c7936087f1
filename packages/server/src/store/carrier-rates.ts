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
/** More than any claim leaves in a bucket: the clock was set back since. */
const MOST_US = 12_000_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;

export interface Allowance {
  /** How many may be given now. */
  readonly count: number;
  /** When the next may, in epoch milliseconds, if none may now. */
  readonly nextAt: number;
}

/** What rates allow at `now`, in their order. Their rows are held until the transaction ends, always in the same order. */
export async function findAllowances(tx: Transaction, rates: readonly Rate[], now: number): Promise<Allowance[]> {
  if (rates.length === 0) return [];
  const rows = await tx.all<{ subject: string; fullAt: number }>(
    `SELECT subject, full_at AS "fullAt" FROM carrier_rates
      WHERE subject IN (${rates.map((_rate, index) => `$${index + 1}`).join(", ")}) ORDER BY subject FOR UPDATE`,
    ...rates.map(({ subject }) => subject),
  );
  const fullAts = new Map(rows.map(({ subject, fullAt }) => [subject, fullAt]));
  return rates.map(({ subject, perSecond }) => {
    const eachUs = US_PER_SECOND / perSecond;
    const leftUs = Math.max((fullAts.get(subject) ?? 0) - now * US_PER_MS, 0);
    const usedUs = leftUs > MOST_US ? 0 : leftUs;
    const count = Math.max(Math.floor((BURST_US + eachUs - usedUs) / eachUs), 0);
    return { count, nextAt: now + Math.max(Math.ceil((usedUs - BURST_US) / US_PER_MS), 1) };
  });
}

/** Takes messages out of buckets, in the order in which `findAllowances` holds them. */
export async function useAllowances(
  tx: Transaction,
  used: readonly { readonly rate: Rate; readonly count: number }[],
  now: number,
): Promise<void> {
  const nowUs = now * US_PER_MS;
  const inOrder = used.toSorted((one, other) => (one.rate.subject < other.rate.subject ? -1 : 1));
  for (const { rate, count } of inOrder) {
    const usedUs = Math.round((count * US_PER_SECOND) / rate.perSecond);
    await tx.run(
      `INSERT INTO carrier_rates (subject, full_at) VALUES ($1, $2)
       ON CONFLICT (subject) DO UPDATE SET full_at =
         CASE WHEN carrier_rates.full_at BETWEEN $3 AND $4 THEN carrier_rates.full_at ELSE $3 END + $5`,
      rate.subject,
      nowUs + usedUs,
      nowUs,
      nowUs + MOST_US,
      usedUs,
    );
  }
}
