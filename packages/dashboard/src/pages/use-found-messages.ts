import type { Views } from "../api.ts";
import { ask } from "../client/client.ts";
import { type Answered, useLoaded } from "./use-answer.ts";

/** Loads the newest messages that a search finds. Loads pages until it has `most` messages, or there are no more pages. */
export function useFoundMessages(q: string, most: number): Answered<readonly Views["MessageRow"][]> {
  return useLoaded(`${most} ${q}`, async (signal) => {
    const found: Views["MessageRow"][] = [];
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
