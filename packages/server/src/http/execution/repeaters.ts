import type { Clock } from "../../platform/clock.ts";

/** How long a tenant is remembered after a repeat. */
const REMEMBERED_MS = 60_000;
/** Tenants that are remembered: those of the latest repeats. */
const MOST_TENANTS = 1_000;

/**
 * The tenants that have lately repeated requests. A write finds that its key is in use only when it stores it, as most are
 * new, and then all that is committed together with it is run again: whoever repeats is looked for first, and so costs the
 * others that once.
 */
export class Repeaters {
  readonly #clock: Pick<Clock, "now">;
  /** Until when, in epoch milliseconds, in the order of their latest repeats. */
  readonly #tenants = new Map<number, number>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  note(tenantId: number): void {
    this.#tenants.delete(tenantId);
    this.#tenants.set(tenantId, this.#clock.now() + REMEMBERED_MS);
    if (this.#tenants.size <= MOST_TENANTS) return;
    const [oldest] = this.#tenants.keys();
    if (oldest !== undefined) this.#tenants.delete(oldest);
  }

  has(tenantId: number): boolean {
    return this.#clock.now() < (this.#tenants.get(tenantId) ?? 0);
  }
}
