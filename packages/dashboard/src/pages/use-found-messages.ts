import type { Views } from "../api.ts";
import { ask } from "../client/client.ts";
import { type Answered, useLoaded } from "./use-answer.ts";

/** The newest messages that a search finds. The search continues until there are enough, or all have been searched. */
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
