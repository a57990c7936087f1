/** Refuses a name that nothing reads: a misspelt option would silently lose what it protects. */
import { UsageError } from "./errors.ts";

/** The names of T. The compiler asks for each, and for no other. */
export type NamesOf<T> = Readonly<Record<keyof T, 1>>;

/**
 * Refuses unknown names. Undefined values count as absent.
 *
 * @param where - What holds the names, such as "Options of the call".
 * @param isShared - Refuses misspelt names only: the object may serve others too, such as a file of settings.
 * @throws {UsageError} Naming what is unknown, the name that was probably meant, and all that are known.
 */
export function checkNames(where: string, given: object, known: object, isShared = false): void {
  const names = Object.keys(known);
  const unknown = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || Object.hasOwn(known, name) ? [] : name,
  );
  // Most calls end here.
  if (unknown.length === 0) return;
  const meant = unknown.flatMap((name) => names.find((each) => isNear(name, each)) ?? []);
  if (isShared && meant.length === 0) return;
  const advice = meant.length > 0 ? `Did you mean ${meant.join(", ")}? ` : "";
  const shown = unknown.slice(0, 20).map((name) => JSON.stringify(name.slice(0, 40)));
  throw new UsageError(
    `${where}: unknown ${shown.join(", ")}. ${advice}Allowed are ${names.join(", ")}: leave out the rest.`,
  );
}

/** `timeout`, `idempotency_key` and `maxRetrys` are near `timeoutMs`, `idempotencyKey` and `maxRetries`. */
function isNear(name: string, known: string): boolean {
  const [one, other] = [name, known].map((text) => text.toLowerCase().replace(/[^a-z]/g, "")) as [string, string];
  return (one.length > 4 && other.startsWith(one)) || distance(one, other) < Math.min(3, other.length / 2);
}

/** Letters to insert, remove or replace (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 0; i < one.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j += 1)
      next.push(
        Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, (row[j] as number) + +(one[i] !== other[j])),
      );
    row = next;
  }
  return row.at(-1) as number;
}
