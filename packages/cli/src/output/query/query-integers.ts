/** Support for int64 in JMESPath, which has only doubles: integers are compared as doubles and returned exactly. */

export interface Doubles {
  value: unknown;
  /** The exact integer for each double. */
  exact: ReadonlyMap<number, bigint>;
}

/** Replaces bigints by doubles. If two bigints have the same double, all stay bigints, which JMESPath cannot compare. */
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

/** Restores the bigints in the result of a query. */
export function withBigints(value: unknown, exact: ReadonlyMap<number, bigint>): unknown {
  if (exact.size === 0) return value;
  return replaceLeaves(value, (leaf) => (typeof leaf === "number" ? (exact.get(leaf) ?? leaf) : leaf));
}

function replaceLeaves(value: unknown, replace: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => replaceLeaves(element, replace));
  if (typeof value !== "object" || value === null) return replace(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceLeaves(inner, replace)]));
}
