import type { SqlValue } from "./store.ts";

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
