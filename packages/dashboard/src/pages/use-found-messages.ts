import type { Views } from "../api.ts";
import { ask } from "../client/client.ts";
import { type Answered, type Rounds, useLoaded } from "./use-answer.ts";

export interface FoundMessages {
  readonly messages: readonly Views["MessageRow"][];
  /** If the search ended early, the time back to which it has looked; else null. */
  readonly lookedBackTo: string | null;
}

export interface FindOptions extends Rounds<FoundMessages | undefined> {
  /** The most messages to load. */
  readonly most: number;
  /** The most pages to load. A page may have no message, because the server limits the time that it takes. @default no limit */
  readonly mostPages?: number;
}

/**
 * Loads the newest messages that a search finds, page by page, until there are enough or no more. Loads nothing while the
 * search is not known.
 */
export function useFoundMessages(
  q: string | undefined,
  { most, mostPages = Number.POSITIVE_INFINITY, ...rounds }: FindOptions,
): Answered<FoundMessages | undefined> {
  const load = async (signal: AbortSignal) => {
    if (q === undefined) return undefined;
    const messages: Views["MessageRow"][] = [];
    let lookedBackTo: string | null = null;
    let cursor: string | null | undefined;
    for (let pages = 0; pages < mostPages && messages.length < most && cursor !== null; pages += 1) {
      const query = { q, limit: most - messages.length, ...(cursor === undefined ? {} : { cursor }) };
      const page = await ask("searchMessages", { query, signal });
      messages.push(...page.messages);
      lookedBackTo = page.lookedBackTo;
      cursor = page.next;
    }
    return { messages, lookedBackTo };
  };
  return useLoaded(`${most} ${q}`, load, rounds);
}
