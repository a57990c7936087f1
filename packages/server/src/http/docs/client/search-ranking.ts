/** As the pages' generator writes them into search.json. */
export interface SearchEntry {
  readonly title: string;
  /** Shown under the title. */
  readonly detail: string;
  readonly href: string;
  /** Other terms that match. */
  readonly terms: readonly string[];
}

const MOST = 12;

/** Returns the entries that match every word of the query, best first: equal names, then prefixes, then substrings. */
export function findEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const wanted = query.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (wanted === "") return [];
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** Returns 0 for no match. */
function rankOf({ title, detail, terms }: SearchEntry, wanted: string): number {
  const names = [title, detail, ...detail.split(" "), ...terms].map((text) => text.toLowerCase());
  if (names.includes(wanted)) return 5;
  if (names.some((name) => name.startsWith(wanted))) return 4;
  if (names.some((name) => name.includes(wanted))) return 3;
  const all = names.join(" ");
  if (!wanted.split(" ").every((word) => all.includes(word))) return 0;
  return wanted.split(" ").every((word) => `${title} ${detail}`.toLowerCase().includes(word)) ? 2 : 1;
}
