// One change of many messages. SQLite is given their ids as a list, in one statement for all that change alike: half the
// work of a statement for each. PostgreSQL is given a statement for each, and makes one of them (decision 36).

import { allEnded } from "./all-ended.ts";
import type { SqlValue, Transaction } from "./store.ts";

/** SQL of the ids in the list that is parameter `$1`. */
export const listedIds = "(SELECT value FROM json_each($1))";

/** Runs a statement for each list of values. Returns how many rows all of them changed. */
export async function runEach(tx: Transaction, sql: string, rows: readonly (readonly SqlValue[])[]): Promise<number> {
  const changed = await allEnded(rows.map((values) => tx.run(sql, ...values)));
  return changed.reduce((sum, count) => sum + count, 0);
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
