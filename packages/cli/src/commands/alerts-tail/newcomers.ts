import { compactJson } from "../../output/json/json.ts";

/** Finds the new entries of a list that is read repeatedly. */
export interface Newcomers {
  /** `list` is newest first, as the service returns it; the result is oldest first. */
  take(list: readonly unknown[]): unknown[];
}

/** Compares entries by all their fields, since they have no identifier. Equal entries are counted. */
export function createNewcomers(): Newcomers {
  let known = new Map<string, number>();
  return {
    take(list) {
      const present = new Map<string, number>();
      const fresh: unknown[] = [];
      for (const entry of [...list].reverse()) {
        const text = compactJson(entry);
        const count = (present.get(text) ?? 0) + 1;
        present.set(text, count);
        if (count > (known.get(text) ?? 0)) fresh.push(entry);
      }
      // forget entries that are no longer listed, since a watch may last for weeks
      known = present;
      return fresh;
    },
  };
}
