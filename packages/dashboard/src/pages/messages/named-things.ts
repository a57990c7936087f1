// Things other than messages that a search of one bare word names: by an id, or by an Idempotency-Key.

import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { allRequests, type Route } from "../../shell/route.ts";
import { useLoaded } from "../use-answer.ts";

export type NamedThing = Views["NamedThing"];

/** Any text without a space may be a key, whatever else it means in a search. */
const WORD = /^[!-~]{1,255}$/;

export interface NamedThings {
  readonly things: readonly NamedThing[];
  readonly error: unknown;
  readonly again: () => void;
}

export function useNamedThings(query: string): NamedThings {
  const { answer, error, again } = useLoaded(`named ${query}`, async (signal) => ({
    query,
    things: WORD.test(query) ? await ask("findNamedThings", { query: { text: query }, signal }) : [],
  }));
  return { things: answer?.query === query ? answer.things : [], error, again };
}

/** The page of a thing; undefined where there is none. */
export function pageOf({ kind, id }: NamedThing): Route | undefined {
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
      return { page: "messages", query: `merchant:${id}` };
    case "request":
      return { ...allRequests, requestId: id };
  }
}

/** The page of the only thing that is named; undefined if there are several, or none. */
export function onlyPage(things: readonly NamedThing[]): Route | undefined {
  const pages = things.flatMap((thing) => pageOf(thing) ?? []);
  return pages.length === 1 ? pages[0] : undefined;
}
