// A semaphore for expensive requests, such as those with a long list or body: few at once, and no owner, a tenant or a
// network, has all places.

import { FairLine } from "../../platform/fair-line.ts";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";
import { Refusal } from "../../rules/refusal.ts";

export interface PlaceBounds {
  /** The number of places. */
  readonly atOnce: number;
  /** How many of them one owner may take. */
  readonly perOwner: number;
  /** How many requests may wait. @default any number */
  readonly mostWaiting?: { readonly perOwner: number; readonly owners: number };
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

/** @template Owner the id of a tenant, or the name of whoever else takes turns */
export class Places<Owner extends number | string = number> {
  readonly #bounds: PlaceBounds;
  readonly #taken = new Map<Owner, number>();
  readonly #line = new FairLine<Waiting, Owner>();
  #total = 0;
  #isClosed = false;

  constructor(bounds: PlaceBounds) {
    this.#bounds = bounds;
  }

  /**
   * Acquires `places`, at most as many as one owner may have, once they are free. Rejects with `unavailable` after
   * `waitMs`, once closed or where too many wait, and with the signal's reason when `signal` is aborted.
   */
  async take(owner: Owner, signal: AbortSignal, places = 1): Promise<Leave> {
    signal.throwIfAborted();
    if (this.#isClosed) throw stopping();
    const isFree = this.#line.isEmpty && this.#hasFree(owner, places) && this.#total + places <= this.#bounds.atOnce;
    if (isFree) this.#seat(owner, places);
    else if (this.#isLineFull(owner)) throw tooManyWait(this.#bounds);
    else await this.#wait(owner, signal, places);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      this.#free(owner, places);
    };
  }

  /** Refuses waiting and future requests. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#line.take(); next !== undefined; next = this.#line.take()) next.item.refuse(stopping());
  }

  #isLineFull(owner: Owner): boolean {
    const { mostWaiting } = this.#bounds;
    if (mostWaiting === undefined) return false;
    const own = this.#line.count(owner);
    return own >= mostWaiting.perOwner || (own === 0 && this.#line.owners >= mostWaiting.owners);
  }

  #wait(owner: Owner, signal: AbortSignal, places: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", give);
        this.#line.remove(owner, waiting);
        then();
      };
      const refuse = (reason: unknown) => settle(() => reject(reason));
      const give = () => refuse(signal.reason);
      const waiting: Waiting = { places, admit: () => settle(resolve), refuse };
      const timer = setTimeout(() => refuse(tooMany(this.#bounds)), this.#bounds.waitMs).unref();
      signal.addEventListener("abort", give);
      this.#line.add(owner, waiting);
      // those waiting may all be of owners at their limit
      this.#admit();
    });
  }

  /** Returns whether the owner stays within its share. */
  #hasFree(owner: Owner, places: number): boolean {
    return (this.#taken.get(owner) ?? 0) + places <= this.#bounds.perOwner;
  }

  #seat(owner: Owner, places: number): void {
    this.#total += places;
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + places);
  }

  #free(owner: Owner, places: number): void {
    this.#total -= places;
    const left = (this.#taken.get(owner) ?? 0) - places;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
    this.#admit();
  }

  /** Admits every waiting request that fits. One within its owner's share that does not fit blocks those behind it. */
  #admit(): void {
    let isFull = false;
    const fits = (owner: Owner, { places }: Waiting) => {
      if (isFull || !this.#hasFree(owner, places)) return false;
      isFull = this.#total + places > this.#bounds.atOnce;
      return !isFull;
    };
    for (let next = this.#line.take(fits); next !== undefined; next = this.#line.take(fits)) {
      this.#seat(next.owner, next.item.places);
      next.item.admit();
    }
  }
}

function tooManyWait({ words }: PlaceBounds): Refusal {
  return new Refusal("unavailable", `${words}; there is no room to wait. Nothing was done; try again.`);
}

function tooMany({ waitMs, words }: PlaceBounds): Refusal {
  const detail = `${words}; there was no room within ${waitMs / 1_000} s. Nothing was done; try again.`;
  return new Refusal("unavailable", detail);
}

function stopping(): Refusal {
  return new Refusal("unavailable", "The server is stopping. Nothing was done; try again.");
}
