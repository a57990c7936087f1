// A queue that is round-robin by owner, a tenant or a network, so that an owner that asks for much delays only itself.

export class FairLine<T, Owner = number> {
  /** The items of each owner, in the order of the owners' turns. */
  readonly #owners = new Map<Owner, Set<T>>();

  get isEmpty(): boolean {
    return this.#owners.size === 0;
  }

  /** How many owners have items. */
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

  /** Takes the oldest item of the first owner in turn whose item `admits` allows; undefined if there is none. */
  take(admits: (owner: Owner, item: T) => boolean = () => true): { owner: Owner; item: T } | undefined {
    for (const [owner, own] of this.#owners) {
      const [item] = own as Iterable<T> as [T];
      if (!admits(owner, item)) continue;
      this.#owners.delete(owner);
      own.delete(item);
      // behind the others
      if (own.size > 0) this.#owners.set(owner, own);
      return { owner, item };
    }
    return undefined;
  }

  remove(owner: Owner, item: T): void {
    const own = this.#owners.get(owner);
    if (own?.delete(item) && own.size === 0) this.#owners.delete(owner);
  }
}
