const MOST_IDS = 10_000;
/** The service's ids are shorter. A longer one may be an attempt to exhaust memory, so it is cut. */
const MOST_CHARACTERS = 100;

/** Remembers only the latest ids, to bound memory. */
export function createRecentIds(most = MOST_IDS): { isRepeat(id: string | null): boolean } {
  const ids = new Set<string>();
  return {
    /** Returns whether the id was seen before, and remembers it. Returns false without an id. */
    isRepeat(id) {
      if (id === null) return false;
      const kept = id.slice(0, MOST_CHARACTERS);
      if (ids.has(kept)) return true;
      ids.add(kept);
      const [oldest] = ids;
      if (ids.size > most && oldest !== undefined) ids.delete(oldest);
      return false;
    },
  };
}
