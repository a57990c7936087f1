import type { SqlValue } from "./store.ts";

/**
 * Waits for the end of all, what they ask being asked together, and gives their results. If some fail, it throws the first's
 * error, once none is under way any more: the transaction ends then.
 */
export async function allEnded<const Works extends readonly Promise<unknown>[]>(
  works: Works,
): Promise<{ -readonly [Index in keyof Works]: Awaited<Works[Index]> }> {
  const ends = await Promise.allSettled(works);
  const values = ends.map((end) => {
    if (end.status === "rejected") throw end.reason;
    return end.value;
  });
  return values as { -readonly [Index in keyof Works]: Awaited<Works[Index]> };
}

/** Those that are alike, together: `describe` gives the values that they share. In the order of the first of each. */
export function groupAlike<Item, Shared extends readonly SqlValue[]>(
  items: readonly Item[],
  describe: (item: Item) => Shared,
): { readonly shared: Shared; readonly items: readonly Item[] }[] {
  const groups = new Map<string, Group<Item, Shared>>();
  let last: Group<Item, Shared> | undefined;
  for (const item of items) {
    const shared = describe(item);
    // most are like the one before, and its key is known
    if (last === undefined || !areSame(last.shared, shared)) {
      const key = JSON.stringify(shared);
      last = groups.get(key) ?? { shared, items: [] };
      groups.set(key, last);
    }
    last.items.push(item);
  }
  return [...groups.values()];
}

interface Group<Item, Shared> {
  readonly shared: Shared;
  readonly items: Item[];
}

function areSame(one: readonly SqlValue[], other: readonly SqlValue[]): boolean {
  return one.every((value, index) => value === other[index]);
}

// Of several rows that a transaction locks it locks messages first, then quotas, then carriers' health, and each kind in the order
// of its keys: of two that lock the same the other way round PostgreSQL undoes one, after a second in which both wait.

/** The items in the order in which their rows are locked. */
export function inLockOrder<Item>(items: readonly Item[], keyOf: (item: Item) => readonly SqlValue[]): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort(({ key: one }, { key: other }) => compareKeys(one, other)).map(({ item }) => item);
}

/** Keys of one table: what has the same place in them is of one type, and never null. */
function compareKeys(one: readonly SqlValue[], other: readonly SqlValue[]): number {
  for (const [index, value] of one.entries()) {
    const against = other[index];
    if (value === against || value === null || against === null || against === undefined) continue;
    return value < against ? -1 : 1;
  }
  return 0;
}
