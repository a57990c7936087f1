/** Refuses unknown option names: a misspelt option would silently have no effect. */
import { UsageError } from "./errors.ts";

/** The names of T. The compiler requires each, and allows no other. */
export type NamesOf<T> = Readonly<Record<keyof T, 1>>;

/**
 * Refuses an unknown name. Undefined values count as absent.
 *
 * @param where - What holds the names, such as "Options of the call".
 * @param isShared - Refuses only names that look misspelt. For objects that may have other members, such as a settings file.
 * @throws {UsageError} Its message has the unknown name, the name that was probably meant, and all known names.
 */
export function checkNames(where: string, given: object, known: object, isShared = false): void {
  for (const name in given) {
    if (Object.hasOwn(known, name) || (given as Record<string, unknown>)[name] === undefined) continue;
    const names = Object.keys(known);
    const meant = names.find((each) => isNear(name, each));
    if (isShared && !meant) continue;
    throw new UsageError(
      `${where}: unknown ${JSON.stringify(name.slice(0, 60))}.${meant ? ` Did you mean ${meant}?` : ""} ` +
        `Allowed are ${names.join(", ")}: leave out the rest.`,
    );
  }
}

/** `timeout`, `idempotency_key` and `maxRetrys` are near `timeoutMs`, `idempotencyKey` and `maxRetries`. */
function isNear(name: string, known: string): boolean {
  // In a short name, all letters count: `text` is not `to`.
  const count = known.length > 3 ? Math.min(5, known.length - 1) : undefined;
  const start = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z]/g, "")
      .slice(0, count);
  return start(name) === start(known);
}
