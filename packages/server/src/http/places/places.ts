// A semaphore for expensive requests, those with a long list or body: few at once, and no tenant has all places.

import { clearTimeout, setTimeout } from "../../platform/timers.ts";
import { Refusal } from "../../rules/refusal.ts";
import { FairLine } from "../../platform/fair-line.ts";

export interface PlaceBounds {
  /** The number of places. */
  readonly atOnce: number;
  /** How many of them one tenant may take. */
  readonly perTenant: number;
  /** How long a request waits for its places, in milliseconds. */
  readonly waitMs: number;
  /** The bounds in words, for the refusal of a request that waited in vain: `Of long lists, … at a time`. */
  readonly words: string;
}

/** Gives the places back. */
export type Leave = () => void;

interface Waiting {
  readonly places: number;
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

  /**
   * Acquires `places`, at most as many as one tenant may have, once they are free. Rejects with `unavailable` after
   * `waitMs` or once closed, and with the signal's reason when `signal` is aborted.
   */
  async take(tenantId: number, signal: AbortSignal, places = 1): Promise<Leave> {
    signal.throwIfAborted();
    if (this.#isClosed) throw stopping();
    const isFree = this.#line.isEmpty && this.#hasFree(tenantId, places) && this.#total + places <= this.#bounds.atOnce;
    if (isFree) this.#seat(tenantId, places);
    else await this.#wait(tenantId, signal, places);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#free(tenantId, places);
    };
  }

  /** Refuses waiting and future requests. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#line.take(); next !== undefined; next = this.#line.take()) next.item.refuse(stopping());
  }

  #wait(tenantId: number, signal: AbortSignal, places: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", give);
        this.#line.remove(tenantId, waiting);
        then();
      };
      const refuse = (reason: unknown) => settle(() => reject(reason));
      const give = () => refuse(signal.reason);
      const waiting: Waiting = { places, admit: () => settle(resolve), refuse };
      const timer = setTimeout(() => refuse(tooMany(this.#bounds)), this.#bounds.waitMs).unref();
      signal.addEventListener("abort", give);
      this.#line.add(tenantId, waiting);
      // those waiting may all be of tenants at their limit
      this.#admit();
    });
  }

  /** Returns whether the tenant stays within its share. */
  #hasFree(tenantId: number, places: number): boolean {
    return (this.#taken.get(tenantId) ?? 0) + places <= this.#bounds.perTenant;
  }

  #seat(tenantId: number, places: number): void {
    this.#total += places;
    this.#taken.set(tenantId, (this.#taken.get(tenantId) ?? 0) + places);
  }

  #free(tenantId: number, places: number): void {
    this.#total -= places;
    const left = (this.#taken.get(tenantId) ?? 0) - places;
    if (left > 0) this.#taken.set(tenantId, left);
    else this.#taken.delete(tenantId);
    this.#admit();
  }

  /** Admits every waiting request that fits. One within its tenant's share that does not fit blocks those behind it. */
  #admit(): void {
    let isFull = false;
    const fits = (tenantId: number, { places }: Waiting) => {
      if (isFull || !this.#hasFree(tenantId, places)) return false;
      isFull = this.#total + places > this.#bounds.atOnce;
      return !isFull;
    };
    for (let next = this.#line.take(fits); next !== undefined; next = this.#line.take(fits)) {
      this.#seat(next.tenantId, next.item.places);
      next.item.admit();
    }
  }
}

function tooMany({ waitMs, words }: PlaceBounds): Refusal {
  const detail = `${words}; there was no room within ${waitMs / 1_000} s. Nothing was done; try again.`;
  return new Refusal("unavailable", detail);
}

function stopping(): Refusal {
  return new Refusal("unavailable", "The server is stopping. Nothing was done; try again.");
}
