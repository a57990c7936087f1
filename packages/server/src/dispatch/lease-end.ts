// How long a lease lasts, and what may no longer begin under it.

import type { Clock } from "../platform/clock.ts";

/** When a lease ends. */
export interface LeaseEnd {
  /** In epoch milliseconds, as the store has it. */
  readonly leaseExpiresAt: number;
  /** By `Clock.elapsed`: this process's clock may be set meanwhile. */
  readonly leaseElapsesAt: number;
}

/** Whether a call that takes up to `callMs` milliseconds may go on after its lease, whose next holder asks about it. */
export function mayOutlast(lease: LeaseEnd, callMs: number, clock: Pick<Clock, "now" | "elapsed">): boolean {
  return clock.now() + callMs >= lease.leaseExpiresAt || clock.elapsed() + callMs >= lease.leaseElapsesAt;
}
