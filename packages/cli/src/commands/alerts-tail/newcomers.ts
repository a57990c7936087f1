import { compactJson } from "../../output/json/json.ts";

/** Gives what is new in a list that is read again and again. */
export interface Newcomers {
  /** `list` is newest first, as the service gives it; what is given is oldest first. */
  take(list: readonly unknown[]): unknown[];
}

/** Entries without an identifier: those equal in all fields are distinguished by how many there are. */
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
      // what is no longer listed is forgotten: a watch may last for weeks
      known = present;
      return fresh;
    },
  };
}
