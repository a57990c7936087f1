// A queue that serves owners (tenants or networks) round-robin, so that an owner with many requests delays only itself. Also a
// semaphore whose requests wait in such a queue.

export class FairQueue<T, Owner = number> {
  /** The items of each owner, in round-robin order. */
  readonly #owners = new Map<Owner, Set<T>>();

  get isEmpty(): boolean {
    return this.#owners.size === 0;
  }

  /** The number of owners with items. */
  get owners(): number {
    return this.#owners.size;
  }

  count(owner: Owner): number {
    return this.#owners.get(owner)?.size ?? 0;
  }

  add(owner: Owner, item: T): void {
    const own = this.#owners.get(owner);
    if (own === undefined) this.#owners.set(owner, new Set([item]));
    else own.add(item);
  }

  /** Removes and returns the oldest item of the next owner whose item `admits` accepts; undefined if there is none. */
  take(admits: (owner: Owner, item: T) => boolean = () => true): { owner: Owner; item: T } | undefined {
    for (const [owner, own] of this.#owners) {
      const [item] = own as Iterable<T> as [T];
      if (!admits(owner, item)) continue;
      this.remove(owner, item);
      this.defer(owner);
      return { owner, item };
    }
    return undefined;
  }

  /** Moves the owner to the end of the round-robin order. */
  defer(owner: Owner): void {
    const own = this.#owners.get(owner);
    if (own === undefined) return;
    this.#owners.delete(owner);
    this.#owners.set(owner, own);
  }

  remove(owner: Owner, item: T): void {
    const own = this.#owners.get(owner);
    if (own?.delete(item) && own.size === 0) this.#owners.delete(owner);
  }
}

export interface SemaphoreBounds {
  /** The number of permits. */
  readonly atOnce: number;
  /** Maximum number of permits per owner. @default all */
  readonly perOwner?: number;
  /** Maximum number of requests in the queue. @default no limit */
  readonly mostWaiting?: { readonly perOwner: number; readonly owners: number };
  /** Starts a timer that calls `expire` to end a request's wait. Returns a function that cancels it. @default no limit */
  readonly beginWait?: (expire: () => void) => () => void;
  /** Creates the error of a refused request. @default a plain error, for semaphores without limits on waiting */
  readonly refuse?: (reason: RefusedWait) => Error;
}

/** Why a request gets no permit: too many requests wait, it has waited too long, or the semaphore is closed. */
export type RefusedWait = "full" | "late" | "closed";

interface Waiting {
  readonly permits: number;
  readonly admit: () => void;
  readonly refuse: (reason: unknown) => void;
}

/** @template Owner the id of a tenant, or the name of another owner */
export class FairSemaphore<Owner extends number | string = number> {
  readonly #bounds: SemaphoreBounds;
  readonly #taken = new Map<Owner, number>();
  readonly #queue = new FairQueue<Waiting, Owner>();
  #total = 0;
  #isClosed = false;

  constructor(bounds: SemaphoreBounds) {
    this.#bounds = bounds;
  }

  /** Runs work that needs one permit. */
  async run<T>(owner: Owner, work: () => T | Promise<T>): Promise<T> {
    const release = await this.take(owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /**
   * Waits until `permits` (at most `perOwner`) are free and acquires them. Resolves to a function that releases them.
   * Rejects with the error of `refuse`, or with the signal's reason when `signal` is aborted.
   */
  async take(owner: Owner, signal?: AbortSignal, permits = 1): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#refusal("closed");
    const isFree = this.#queue.isEmpty && this.#hasFree(owner, permits) && this.#total + permits <= this.#bounds.atOnce;
    if (isFree) this.#count(owner, permits);
    else if (this.#isQueueFull(owner)) throw this.#refusal("full");
    else await this.#wait(owner, signal, permits);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#count(owner, -permits);
      // the owner goes to the end, because it has just been served
      this.#queue.defer(owner);
      this.#admit();
    };
  }

  /** Refuses waiting and future requests. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take()) {
      next.item.refuse(this.#refusal("closed"));
    }
  }

  #refusal(reason: RefusedWait): Error {
    return this.#bounds.refuse?.(reason) ?? new Error(`no permit: ${reason}`);
  }

  #isQueueFull(owner: Owner): boolean {
    const { mostWaiting } = this.#bounds;
    if (mostWaiting === undefined) return false;
    const own = this.#queue.count(owner);
    return own >= mostWaiting.perOwner || (own === 0 && this.#queue.owners >= mostWaiting.owners);
  }

  #wait(owner: Owner, signal: AbortSignal | undefined, permits: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        endWait?.();
        signal?.removeEventListener("abort", give);
        this.#queue.remove(owner, waiting);
        then();
      };
      const refuse = (reason: unknown) => settle(() => reject(reason));
      const give = () => refuse(signal?.reason);
      const waiting: Waiting = { permits, admit: () => settle(resolve), refuse };
      const endWait = this.#bounds.beginWait?.(() => refuse(this.#refusal("late")));
      signal?.addEventListener("abort", give);
      this.#queue.add(owner, waiting);
      // the waiting requests may all be of owners at their limit
      this.#admit();
    });
  }

  /** Returns whether the owner stays within its limit if it gets the permits. */
  #hasFree(owner: Owner, permits: number): boolean {
    const { atOnce, perOwner = atOnce } = this.#bounds;
    return (this.#taken.get(owner) ?? 0) + permits <= perOwner;
  }

  #count(owner: Owner, permits: number): void {
    this.#total += permits;
    const taken = (this.#taken.get(owner) ?? 0) + permits;
    if (taken > 0) this.#taken.set(owner, taken);
    else this.#taken.delete(owner);
  }

  /** Admits waiting requests. One that is within its owner's limit, but needs more than is free, blocks those behind it. */
  #admit(): void {
    let isFull = false;
    const fits = (owner: Owner, { permits }: Waiting) => {
      if (isFull || !this.#hasFree(owner, permits)) return false;
      isFull = this.#total + permits > this.#bounds.atOnce;
      return !isFull;
    };
    for (let next = this.#queue.take(fits); next !== undefined; next = this.#queue.take(fits)) {
      this.#count(next.owner, next.item.permits);
      next.item.admit();
    }
  }
}
