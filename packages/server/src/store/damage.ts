// Damage of the database, which nobody looks for: it is found by whatever reads or writes what is damaged.

import type { Store } from "./store.ts";

/** Codes of SQLite and of PostgreSQL for a damaged page, file or index. */
const DAMAGE = /^(?:SQLITE_(?:CORRUPT|NOTADB)|XX00[12]$)/;

/** Returns the store, with damage noted that work on it meets. */
export function notingDamage(store: Store, note: () => void): Store {
  const noted = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (isDamage(error)) note();
      throw error;
    }
  };
  return {
    ...store,
    read: (work) => noted(store.read(work)),
    write: (work, place) => noted(store.write(work, place)),
  };
}

/** Looks at what caused an error, too: a store wraps those of its engine. */
function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && DAMAGE.test(String(error.code))) || isDamage(error.cause);
}
