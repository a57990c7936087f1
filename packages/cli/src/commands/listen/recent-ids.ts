const MOST_IDS = 10_000;
/** The service's are shorter; a longer one is somebody's who wants to fill the memory. */
const MOST_CHARACTERS = 100;

/** Remembers the latest ids, so that memory stays flat. */
export function createRecentIds(most = MOST_IDS): { isRepeat(id: string | null): boolean } {
  const ids = new Set<string>();
  return {
    /** Whether the id came before, and remembers it. Without an id there is no knowing. */
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
