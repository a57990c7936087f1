// The results of a search, kept up to date. The first page is loaded again when the stream opens, so that no message is
// missed.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
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

const FIRST_ROWS = 50;
const NEXT_ROWS = 200;
/** Milliseconds before the newest rows are reloaded, after the server reported changes that it did not stream. */
const REFRESH_MS = 1_000;
/** Milliseconds between reloads of the newest rows while the server indexes older messages. */
const INDEXING_MS = 2_000;

export interface Messages {
  readonly list: MessageList;
  /** Number of times that the list has been restarted. */
  readonly round: number;
  /** Progress of the index. Undefined before the first page. */
  readonly index: Omit<Views["MessagePage"], "messages" | "next"> | undefined;
  readonly isLive: boolean;
  readonly error: unknown;
  readonly loadNext: () => void;
  /** Restarts the list with the newest messages. */
  readonly reload: () => void;
}

/** The list that is shown, and the restarted list that replaces it once its first page is loaded. */
interface Lists {
  readonly shown: MessageList;
  readonly coming: MessageList | null;
  readonly round: number;
}

const nothing: Lists = { shown: emptyList, coming: null, round: 0 };

export function useMessages(query: string): Messages {
  const [{ shown, coming, round }, setLists] = useState(nothing);
  const [index, setIndex] = useState<Messages["index"]>();
  const [isLive, setLive] = useState(false);
  const [error, setError] = useState<unknown>();
  const left = useRef(new AbortController());
  const isLoading = useRef(false);
  const [loads, setLoads] = useState(0);

  const load = async (
    page: { cursor?: string; limit: number },
    put: (lists: Lists, page: Views["MessagePage"]) => Lists,
  ) => {
    const { signal } = left.current;
    try {
      const found = await ask("searchMessages", { query: { q: query, ...page }, signal });
      if (signal.aborted) return;
      const { messages: _messages, next: _next, ...about } = found;
      setError(undefined);
      setIndex(about);
      setLists((known) => put(known, found));
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    }
  };
  const loadFirst = () =>
    load({ limit: FIRST_ROWS }, ({ shown, coming, round }, page) => ({
      shown: withFirstPage(coming ?? shown, page),
      coming: null,
      round: coming === null ? round : round + 1,
    }));

  const refresh = () =>
    load({ limit: FIRST_ROWS }, (lists, page) => ({ ...lists, shown: withRefreshed(lists.shown, page) }));
  useEffect(() => {
    if (index === undefined || index.isComplete) return;
    const timer = setTimeout(refresh, INDEXING_MS);
    return () => clearTimeout(timer);
  }, [index]);

  useLayoutEffect(() => {
    setLists(nothing);
    setIndex(undefined);
    setError(undefined);
    isLoading.current = false;
    left.current = new AbortController();
    void loadFirst();
    let refreshing: ReturnType<typeof setTimeout> | undefined;
    const refreshSoon = () => {
      refreshing ??= setTimeout(() => {
        refreshing = undefined;
        void refresh();
      }, REFRESH_MS);
    };
    const end = follow(
      "followMessages",
      { q: query },
      {
        onState: setLive,
        onEvent({ event, data }) {
          if (event === "open") void loadFirst();
          else if (event === "messages") {
            const changes = JSON.parse(data) as Views["MessageChanges"];
            setLists(({ shown, coming, round }) => ({
              round,
              shown: withChanges(shown, changes),
              coming: coming === null ? null : withChanges(coming, changes),
            }));
            if (changes.changed > 0) refreshSoon();
          }
        },
      },
    );
    return () => {
      left.current.abort();
      clearTimeout(refreshing);
      end();
    };
  }, [query]);

  const loadNext = () => {
    const { next: cursor } = shown;
    if (cursor === null || coming !== null || isLoading.current) return;
    isLoading.current = true;
    const put = (lists: Lists, page: Views["MessagePage"]) => ({
      ...lists,
      shown: withNextPage(lists.shown, page, cursor),
    });
    void load({ cursor, limit: NEXT_ROWS }, put).finally(() => {
      isLoading.current = false;
      setLoads((known) => known + 1);
    });
  };
  // A search stops at its time limit, and may return a page without rows. So this effect runs after every page, even a
  // discarded one; otherwise the list could stay empty.
  useEffect(() => {
    if (error === undefined && shown.rows.length < FIRST_ROWS) loadNext();
  }, [shown.next, loads]);

  return {
    ...{ list: shown, round, index, isLive, error },
    loadNext,
    reload() {
      setLists((known) => ({ ...known, coming: emptyList }));
      void loadFirst();
    },
  };
}
