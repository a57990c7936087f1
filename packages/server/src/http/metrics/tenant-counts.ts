// How much each tenant sends, in a bounded number of series: those that send most have one each, the others share one. Each
// series only grows while it is there, as counters do. That of a tenant which is overtaken goes, and begins anew if it comes back.

/** The most tenants that have a series. */
export const MOST_TENANTS = 20;
/** The most others whose recent counts are kept. */
const MOST_OTHERS = 10_000;
/** After so many, what was counted until then counts half in the order of tenants. */
const HALVED_AFTER = 10_000;
/** A tenant takes the place of another once it has sent so many times as much lately: two that are alike do not alternate. */
const OVERTAKES_AT = 2;

interface Series {
  total: number;
  recent: number;
}

export class TenantCounts {
  readonly #series = new Map<number, Series>();
  /** Recent counts of tenants without a series. */
  readonly #others = new Map<number, number>();
  #ofOthers = 0;
  #sinceHalved = 0;

  count(tenantId: number): void {
    this.#sinceHalved += 1;
    if (this.#sinceHalved >= HALVED_AFTER) this.#halve();
    const own = this.#series.get(tenantId);
    if (own !== undefined) {
      own.total += 1;
      own.recent += 1;
      return;
    }
    if (this.#series.size < MOST_TENANTS) {
      this.#series.set(tenantId, { total: 1, recent: 1 });
      return;
    }
    this.#ofOthers += 1;
    const recent = (this.#others.get(tenantId) ?? 0) + 1;
    if (this.#others.size >= MOST_OTHERS) this.#others.clear();
    this.#others.set(tenantId, recent);
    const [last, least] = this.#findLeast();
    if (recent < OVERTAKES_AT * Math.max(1, least.recent)) return;
    this.#series.delete(last);
    this.#others.delete(tenantId);
    this.#others.set(last, least.recent);
    // what it sent before counts among the others
    this.#series.set(tenantId, { total: 0, recent });
  }

  /** The totals by tenant, then those of the others. */
  get totals(): Readonly<Record<string, number>> {
    const own = Array.from(this.#series, ([tenantId, { total }]) => [String(tenantId), total]);
    return { ...Object.fromEntries(own), other: this.#ofOthers };
  }

  #findLeast(): [number, Series] {
    const [first, ...others] = this.#series;
    if (first === undefined) throw new Error("there is no series");
    return others.reduce((least, one) => (one[1].recent < least[1].recent ? one : least), first);
  }

  #halve(): void {
    this.#sinceHalved = 0;
    for (const one of this.#series.values()) one.recent = Math.floor(one.recent / 2);
    for (const [tenantId, recent] of this.#others) {
      if (recent < 2) this.#others.delete(tenantId);
      else this.#others.set(tenantId, Math.floor(recent / 2));
    }
  }
}
