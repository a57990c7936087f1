// Units of quota that a send holds until its outcome is known.

import { creditsToReturn } from "../rules/quota.ts";
import type { Transaction } from "../store/store.ts";
import { releaseUnpaid, releaseUsage, returnCredits, type UsageKey } from "../store/usage.ts";

/** Units held by a message, by a call that has none yet, or by a batch being accepted. */
export interface HeldUnits extends UsageKey {
  readonly units: number;
  /** How many of them the credits paid. */
  readonly creditUnits: number;
}

/** Releases the units, and returns to the credits what they paid. */
export async function releaseUnits(tx: Transaction, held: HeldUnits): Promise<void> {
  const { units, creditUnits } = held;
  if (units === 0) return;
  if (await releaseUnpaid(tx, held, units)) return;
  tx.requireAlone("the credits paid a part of the period's units");
  const released = await releaseUsage(tx, held, units);
  const credits = creditsToReturn({ ...released, units, ownCreditUnits: creditUnits });
  if (credits > 0) await returnCredits(tx, held, credits);
}
