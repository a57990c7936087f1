import { compactJson } from "../../output/json/json.ts";

/** Finds the new entries of a list that is read repeatedly. */
export interface Newcomers {
  /** `list` is newest first, as the service returns it; the result is oldest first. */
  take(list: readonly unknown[]): unknown[];
}

/** For entries without an identifier: those equal in all fields are told apart by their count. */
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
      // entries no longer listed are forgotten: a watch may last for weeks
      known = present;
      return fresh;
    },
  };
}
