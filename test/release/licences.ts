// The licences under which a published package may contain or install code of others.

/**
 * Permissive licences, which ask for no more than their text. MPL-2.0 also asks for the source of its files, which are
 * unchanged: THIRD-PARTY-LICENSES.txt names where they are.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  ...["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0"],
  ...["MPL-2.0", "Python-2.0", "Unlicense"],
]);

/** Whether an SPDX expression gives the choice of an allowed licence. */
export function isAllowed(expression: string): boolean {
  const inner = /\(([^()]*)\)/;
  const match = inner.exec(expression);
  if (match !== null) return isAllowed(expression.replace(inner, isAllowed(match[1] ?? "") ? "MIT" : "refused"));
  return expression.split(" OR ").some((all) => all.split(" AND ").every((id) => ALLOWED.has(id.trim())));
}
