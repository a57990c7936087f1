// Of several rows that a transaction locks it locks messages first, then quotas, then carriers' health, and each kind in the order
// of its keys: of two that lock the same the other way round PostgreSQL undoes one, after a second in which both wait.

import type { SqlValue } from "./store.ts";

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
