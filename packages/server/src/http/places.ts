// Who may do what takes much of the server, a long list or a long body: few at once, and no tenant has all places.

import { Refusal } from "../operations/refusal.ts";
import { FairLine } from "./fair-line.ts";

export interface PlaceBounds {
  /** Requests that have a place at once. */
  readonly atOnce: number;
  /** Of them, one tenant's. */
  readonly perTenant: number;
  /** Milliseconds that a request waits for a place. */
  readonly waitMs: number;
  /** What is done there, for the refusal of who waited in vain: `Long lists are read for`. */
  readonly what: string;
}

/** Gives the place back. */
export type Leave = () => void;

interface Waiting {
  readonly admit: () => void;
  readonly refuse: (reason: Refusal) => void;
}

export class Places {
  readonly #bounds: PlaceBounds;
  readonly #taken = new Map<number, number>();
  readonly #line = new FairLine<Waiting>();
  #total = 0;
  #isClosed = false;

  constructor(bounds: PlaceBounds) {
    this.#bounds = bounds;
  }

  /** Waits for a place. Rejects with `unavailable` after `waitMs` or once closed, and when `signal` is aborted. */
  async take(tenantId: number, signal: AbortSignal): Promise<Leave> {
    signal.throwIfAborted();
    if (this.#isClosed) throw stopping();
    if (!this.#line.isEmpty || !this.#isFree(tenantId)) await this.#wait(tenantId, signal);
    else this.#seat(tenantId);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#free(tenantId);
    };
  }

  /** Refuses whoever waits, and whoever comes. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#line.take(); next !== undefined; next = this.#line.take()) next.item.refuse(stopping());
  }

  #wait(tenantId: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", give);
        this.#line.remove(tenantId, waiting);
        then();
      };
      const refuse = (reason: unknown) => settle(() => reject(reason));
      const give = () => refuse(signal.reason);
      const waiting: Waiting = { admit: () => settle(resolve), refuse };
      const timer = setTimeout(() => refuse(tooMany(this.#bounds)), this.#bounds.waitMs).unref();
      signal.addEventListener("abort", give);
      this.#line.add(tenantId, waiting);
      // the line may be of tenants that have all they may have
      this.#admit();
    });
  }

  #isFree(tenantId: number): boolean {
    return this.#total < this.#bounds.atOnce && (this.#taken.get(tenantId) ?? 0) < this.#bounds.perTenant;
  }

  #seat(tenantId: number): void {
    this.#total += 1;
    this.#taken.set(tenantId, (this.#taken.get(tenantId) ?? 0) + 1);
  }

  #free(tenantId: number): void {
    this.#total -= 1;
    const left = (this.#taken.get(tenantId) ?? 0) - 1;
    if (left > 0) this.#taken.set(tenantId, left);
    else this.#taken.delete(tenantId);
    this.#admit();
  }

  #admit(): void {
    const next = this.#line.take((tenantId) => this.#isFree(tenantId));
    if (next === undefined) return;
    this.#seat(next.tenantId);
    next.item.admit();
  }
}

function tooMany({ atOnce, perTenant, waitMs, what }: PlaceBounds): Refusal {
  const detail = `${what} at most ${perTenant} requests of a tenant and ${atOnce} in all at a time; none of them ended within ${waitMs / 1_000} s. Nothing was done; try again.`;
  return new Refusal("unavailable", detail);
}

function stopping(): Refusal {
  return new Refusal("unavailable", "The server is stopping. Nothing was done; try again.");
}
