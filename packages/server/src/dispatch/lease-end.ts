// The end of a lease, and the check that no call outlasts it.

import type { Clock } from "../platform/clock.ts";

/** The end of a lease, by two clocks. */
export interface LeaseEnd {
  /** In epoch milliseconds, as the store has it. */
  readonly leaseExpiresAt: number;
  /** By `Clock.elapsed`: this process's clock may be set meanwhile. */
  readonly leaseElapsesAt: number;
}

/**
 * Returns whether a call of up to `callMs` milliseconds could still run after the lease. It must not begin then: the next holder
 * asks the provider about it, and may be told that nothing was made.
 */
export function mayOutlast(lease: LeaseEnd, callMs: number, clock: Pick<Clock, "now" | "elapsed">): boolean {
  return clock.now() + callMs >= lease.leaseExpiresAt || clock.elapsed() + callMs >= lease.leaseElapsesAt;
}
