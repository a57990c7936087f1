// Helpers for work on many rows in one transaction: grouping, lock order, and statements with a fixed number of parameters.

import type { SqlValue } from "./store.ts";

/**
 * Waits for concurrent work on one transaction and returns the results. If some of it fails, throws the first error,
 * but only after all of it has ended, because the caller then ends the transaction.
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

/** Groups items by the values that `describe` returns for them. Groups are in the order of their first items. */
export function groupAlike<Item, Shared extends readonly SqlValue[]>(
  items: readonly Item[],
  describe: (item: Item) => Shared,
): { readonly shared: Shared; readonly items: readonly Item[] }[] {
  const groups = new Map<string, Group<Item, Shared>>();
  let last: Group<Item, Shared> | undefined;
  for (const item of items) {
    const shared = describe(item);
    // most items have the values of the previous item, so its key can be reused
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
 * health, each table in key order. Two transactions that lock in opposite orders deadlock, and PostgreSQL aborts one.
 */
export function inLockOrder<Item>(items: readonly Item[], keyOf: (item: Item) => readonly SqlValue[]): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort(({ key: one }, { key: other }) => compareKeys(one, other)).map(({ item }) => item);
}

/** Compares two keys of one table. Values at the same index have the same type and are never null. */
function compareKeys(one: readonly SqlValue[], other: readonly SqlValue[]): number {
  for (const [index, value] of one.entries()) {
    const against = other[index];
    if (value === against || value === null || against === null || against === undefined) continue;
    return value < against ? -1 : 1;
  }
  return 0;
}

/** Number of values in a statement that looks up a list. It is fixed, so that one statement text serves every list. */
const VALUES_A_STATEMENT = 100;

/**
 * SQL of a list of parameters, numbered from `$first`: one per value. By default, as many as a chunk of `inStatements`
 * has values.
 */
export function listParameters(
  first: number,
  values: readonly unknown[] = Array(VALUES_A_STATEMENT).fill(null),
): string {
  return values.map((_value, index) => `$${first + index}`).join(", ");
}

/** Splits a list into chunks for statements with `listParameters`. The last chunk is filled up by repeating a value. */
export function inStatements<Value extends SqlValue>(values: readonly Value[]): Value[][] {
  const chunks: Value[][] = [];
  for (let start = 0; start < values.length; start += VALUES_A_STATEMENT) {
    const chunk = values.slice(start, start + VALUES_A_STATEMENT);
    while (chunk.length < VALUES_A_STATEMENT) chunk.push(values[start] as Value);
    chunks.push(chunk);
  }
  return chunks;
}
