// If a search is a single word, looks the word up as an id and as an Idempotency-Key.

import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { allMessages, allRequests, type Route } from "../../shell/route.ts";
import { useLoaded } from "../use-answer.ts";

export type IdLookupMatch = Views["IdLookupMatch"];

/** Any text without a space may be an Idempotency-Key, even if it is also a condition of a search. */
const WORD = /^[!-~]{1,255}$/;

export interface IdLookup {
  readonly matches: readonly IdLookupMatch[];
  readonly error: unknown;
  readonly again: () => void;
}

export function useIdLookup(query: string): IdLookup {
  const { answer, error, again } = useLoaded(`id-lookup ${query}`, async (signal) => ({
    query,
    matches: WORD.test(query) ? await ask("lookUpId", { query: { text: query }, signal }) : [],
  }));
  return { matches: answer?.query === query ? answer.matches : [], error, again };
}

/** The page of a match; undefined if it has none. */
export function pageOf({ kind, id }: IdLookupMatch): Route | undefined {
  if (kind === null || id === null) return undefined;
  switch (kind) {
    case "message":
      return { page: "message", messageId: id };
    case "batch":
      return { page: "batch", batchId: id, status: "" };
    case "call":
      return { page: "call", requestId: id };
    case "callback":
      return { page: "callback", webhookId: id };
    case "merchant":
      return { ...allMessages, query: `merchant:${id}` };
    case "request":
      return { ...allRequests, requestId: id };
  }
}

/** The page of the only match; undefined if there are several, or none. */
export function onlyPage(matches: readonly IdLookupMatch[]): Route | undefined {
  const pages = matches.flatMap((match) => pageOf(match) ?? []);
  return pages.length === 1 ? pages[0] : undefined;
}
