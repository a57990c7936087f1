/** JSON with the members of every object in code-unit order and no white space: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortMembers(value)) ?? "null";
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortMembers);
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sortMembers((value as Record<string, unknown>)[name])]));
}
