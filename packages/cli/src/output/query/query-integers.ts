/** int64 under JMESPath, which has only doubles: compared as doubles, and returned as the integers they were. */

export interface Doubles {
  value: unknown;
  /** The integer that each double stands for. */
  exact: ReadonlyMap<number, bigint>;
}

/** A copy with doubles for bigints. If two bigints map to one double, all stay: they can be picked, not compared. */
export function withoutBigints(data: unknown): Doubles {
  const exact = new Map<number, bigint>();
  let isUnique = true;
  const value = replaceLeaves(data, (leaf) => {
    if (typeof leaf !== "bigint") return leaf;
    const double = Number(leaf);
    isUnique &&= (exact.get(double) ?? leaf) === leaf;
    exact.set(double, leaf);
    return double;
  });
  return isUnique ? { value, exact } : { value: data, exact: new Map() };
}

/** Reverses `withoutBigints` for the result of a query. */
export function withBigints(value: unknown, exact: ReadonlyMap<number, bigint>): unknown {
  if (exact.size === 0) return value;
  return replaceLeaves(value, (leaf) => (typeof leaf === "number" ? (exact.get(leaf) ?? leaf) : leaf));
}

function replaceLeaves(value: unknown, replace: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => replaceLeaves(element, replace));
  if (typeof value !== "object" || value === null) return replace(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceLeaves(inner, replace)]));
}
