// Helpers that ask a transaction for many things at once: in groups, in the order of locks, in statements of a fixed length.

import type { SqlValue } from "./store.ts";

/**
 * Returns the results of work that uses a transaction at the same time. If some of it fails, throws the first error
 * once all has ended: the transaction ends then.
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

/** Groups items by the values that `describe` returns of them, in the order of the first of each group. */
export function groupAlike<Item, Shared extends readonly SqlValue[]>(
  items: readonly Item[],
  describe: (item: Item) => Shared,
): { readonly shared: Shared; readonly items: readonly Item[] }[] {
  const groups = new Map<string, Group<Item, Shared>>();
  let last: Group<Item, Shared> | undefined;
  for (const item of items) {
    const shared = describe(item);
    // most items are like the one before, whose key is known
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

/**
 * Sorts items into the order in which their rows are locked. A transaction locks messages first, then quotas, then carriers'
 * health, and each kind in the order of its keys. PostgreSQL undoes one of two transactions that lock in opposite orders.
 */
export function inLockOrder<Item>(items: readonly Item[], keyOf: (item: Item) => readonly SqlValue[]): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort(({ key: one }, { key: other }) => compareKeys(one, other)).map(({ item }) => item);
}

/** Compares keys of one table: their values at the same index are of one type, and never null. */
function compareKeys(one: readonly SqlValue[], other: readonly SqlValue[]): number {
  for (const [index, value] of one.entries()) {
    const against = other[index];
    if (value === against || value === null || against === null || against === undefined) continue;
    return value < against ? -1 : 1;
  }
  return 0;
}

/** Values of one statement that looks up a list: with a fixed number of them its text is the same for every list. */
const VALUES_A_STATEMENT = 100;

/**
 * SQL of a list of parameters from `$first` on: one for each of the values, or as many as a chunk of `inStatements` has.
 */
export function listParameters(
  first: number,
  values: readonly unknown[] = Array(VALUES_A_STATEMENT).fill(null),
): string {
  return values.map((_value, index) => `$${first + index}`).join(", ");
}

/** Splits a list into the values of statements with `listParameters`; the last one is filled up by repeating a value. */
export function inStatements<Value extends SqlValue>(values: readonly Value[]): Value[][] {
  const chunks: Value[][] = [];
  for (let start = 0; start < values.length; start += VALUES_A_STATEMENT) {
    const chunk = values.slice(start, start + VALUES_A_STATEMENT);
    while (chunk.length < VALUES_A_STATEMENT) chunk.push(values[start] as Value);
    chunks.push(chunk);
  }
  return chunks;
}
