// A queue that is round-robin by tenant, so that a tenant that asks for much delays only itself.

export class FairLine<T> {
  /** The items of each tenant, in the order of the tenants' turns. */
  readonly #tenants = new Map<number, Set<T>>();

  get isEmpty(): boolean {
    return this.#tenants.size === 0;
  }

  add(tenantId: number, item: T): void {
    const own = this.#tenants.get(tenantId);
    if (own === undefined) this.#tenants.set(tenantId, new Set([item]));
    else own.add(item);
  }

  /** Takes the oldest item of the first tenant in turn whose item `admits` allows; undefined if there is none. */
  take(admits: (tenantId: number, item: T) => boolean = () => true): { tenantId: number; item: T } | undefined {
    for (const [tenantId, own] of this.#tenants) {
      const [item] = own as Iterable<T> as [T];
      if (!admits(tenantId, item)) continue;
      this.#tenants.delete(tenantId);
      own.delete(item);
      // behind the others
      if (own.size > 0) this.#tenants.set(tenantId, own);
      return { tenantId, item };
    }
    return undefined;
  }

  remove(tenantId: number, item: T): void {
    const own = this.#tenants.get(tenantId);
    if (own?.delete(item) && own.size === 0) this.#tenants.delete(tenantId);
  }
}
