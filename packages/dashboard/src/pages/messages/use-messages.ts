// A list of messages that follows its search: the stream first, so that nothing is missed, then the page.

import { useEffect, useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { follow } from "../../client/live.ts";
import {
  emptyList,
  type MessageList,
  withChanges,
  withFirstPage,
  withNextPage,
  withRefreshed,
} from "./message-list.ts";

const PAGE_ROWS = 50;
/** Where more has changed than was told, how long it takes until the first page is asked for again. */
const REFRESH_MS = 1_000;

export interface Messages {
  readonly list: MessageList;
  /** About the index: how far it has come. Undefined before the first page. */
  readonly index: Omit<Views["MessagePage"], "messages" | "next"> | undefined;
  readonly isLive: boolean;
  readonly error: unknown;
  readonly loadNext: () => void;
  readonly reload: () => void;
}

export function useMessages(query: string): Messages {
  const [list, setList] = useState(emptyList);
  const [index, setIndex] = useState<Messages["index"]>();
  const [isLive, setLive] = useState(false);
  const [error, setError] = useState<unknown>();

  const load = (cursor: string | undefined, put: typeof withFirstPage, signal?: AbortSignal) => {
    const asked = { q: query, limit: PAGE_ROWS, ...(cursor === undefined ? {} : { cursor }) };
    ask("searchMessages", { query: asked, ...(signal === undefined ? {} : { signal }) }).then(
      ({ messages, next, ...about }) => {
        setError(undefined);
        setIndex(about);
        setList((known) => put(known, { messages, next, ...about }));
      },
      (failure) => {
        if (signal?.aborted !== true) setError(failure);
      },
    );
  };

  useEffect(() => {
    setList(emptyList);
    setIndex(undefined);
    setError(undefined);
    const left = new AbortController();
    load(undefined, withFirstPage, left.signal);
    let refreshing: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = () => {
      refreshing ??= setTimeout(() => {
        refreshing = undefined;
        load(undefined, withRefreshed, left.signal);
      }, REFRESH_MS);
    };
    const end = follow(
      "followMessages",
      { q: query },
      {
        onState: setLive,
        onEvent({ event, data }) {
          if (event === "open") load(undefined, withFirstPage, left.signal);
          else if (event === "messages") {
            const changes: Views["MessageChanges"] = JSON.parse(data);
            setList((known) => withChanges(known, changes));
            if (changes.changed > 0) refreshSoon();
          }
        },
      },
    );
    return () => {
      left.abort();
      clearTimeout(refreshing);
      end();
    };
  }, [query]);

  return {
    ...{ list, index, isLive, error },
    loadNext: () => {
      if (list.next !== null) load(list.next, withNextPage);
    },
    reload: () => load(undefined, withFirstPage),
  };
}
