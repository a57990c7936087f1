const MOST_IDS = 10_000;
/** The service's ids are shorter; a longer one is an attempt to exhaust memory. */
const MOST_CHARACTERS = 100;

/** Remembers only the latest ids, so that memory stays flat. */
export function createRecentIds(most = MOST_IDS): { isRepeat(id: string | null): boolean } {
  const ids = new Set<string>();
  return {
    /** Returns whether the id was seen before, and remembers it. Without an id it cannot tell. */
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
