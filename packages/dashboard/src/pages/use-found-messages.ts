import type { Views } from "../api.ts";
import { ask } from "../client/client.ts";
import { type Answered, useLoaded } from "./use-answer.ts";

type Row = Views["MessageRow"];

/**
 * Loads the newest messages that a search finds: pages until it has `most` messages, or there are no more. Loads nothing
 * while the search is not known.
 */
export function useFoundMessages(q: string | undefined, most: number): Answered<readonly Row[] | undefined> {
  return useLoaded(`${most} ${q}`, async (signal) => {
    if (q === undefined) return undefined;
    const found: Row[] = [];
    let cursor: string | null | undefined;
    while (found.length < most && cursor !== null) {
      const query = { q, limit: most - found.length, ...(cursor === undefined ? {} : { cursor }) };
      const page = await ask("searchMessages", { query, signal });
      found.push(...page.messages);
      cursor = page.next;
    }
    return found;
  });
}
