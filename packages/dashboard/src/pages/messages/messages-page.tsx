// The list of messages, calls and emails: all, or the results of a search. It is updated live.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../../client/problem.ts";
import { Failure } from "../../shell/failure.tsx";
import { useKeys } from "../../shell/keys.ts";
import { go } from "../../shell/navigation.tsx";
import type { Route } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { enterList, List } from "../list/list.tsx";
import { toVisible } from "../visible-text.ts";
import { onlyPage, useIdLookup } from "./id-lookup.ts";
import { IdLookupLinks } from "./id-lookup-links.tsx";
import { MessageRow } from "./message-row.tsx";
import { ProjectChoice } from "./project-choice.tsx";
import { type Messages, useMessages } from "./use-messages.ts";

/** If the list is at its top without the focus, it reloads this many milliseconds after the last burst of messages. */
const CALM_MS = 1_000;

export function MessagesPage({ query }: { readonly query: string }) {
  const messages = useMessages(query);
  const { list, round, error, isLive, loadNext, reload } = messages;
  const begin = useRef<HTMLElement>(null);
  const [isRead, setRead] = useState(false);
  const isLeft = list.more > 0 && !isRead;
  useEffect(() => {
    if (!isLeft) return;
    const timer = setTimeout(reload, CALM_MS);
    return () => clearTimeout(timer);
  }, [isLeft, list.bursts]);
  const lookup = useIdLookup(query);
  const { isDevelopment } = useSession();
  const isLookedThrough = messages.index !== undefined && list.next === null;
  const isNothing = list.rows.length === 0 && (isLookedThrough || error !== undefined);
  // do not show that the search is invalid if the text is an id that was found
  const isShown =
    error !== undefined && !(lookup.matches.length > 0 && error instanceof Problem && error.faults.length > 0);
  const only = isNothing ? onlyPage(lookup.matches) : undefined;
  return (
    <section class="page messages" ref={begin} tabIndex={-1}>
      <h1 class="visually-hidden">Messages</h1>
      <Search query={query} only={only}>
        {isDevelopment && <ProjectChoice query={query} />}
      </Search>
      <p class="about" role="status">
        <span class="live" data-live={isLive}>
          {isLive ? "live" : "not live"}
        </span>
        {describeIndex(messages)}
      </p>
      {lookup.matches.length > 0 && <IdLookupLinks matches={lookup.matches} isEntered={only !== undefined} />}
      {isShown && <Failure error={error} again={reload} />}
      {error === undefined && lookup.error !== undefined && <Failure error={lookup.error} again={lookup.again} />}
      {list.more > 0 && (
        <button
          type="button"
          class="more"
          onClick={() => {
            // the button disappears: move the focus off it first
            begin.current?.focus();
            reload();
          }}
        >
          {list.more.toLocaleString()} new or changed: show them
        </button>
      )}
      {error === undefined && isNothing && <Nothing query={query} isMatched={lookup.matches.length > 0} />}
      <List
        key={round}
        label="Messages"
        class="messages-list"
        rows={list.rows}
        keyOf={({ messageId }) => messageId}
        isWhole={list.next === null && !list.isCut}
        onNearEnd={loadNext}
        onRead={setRead}
      >
        {(row) => <MessageRow row={row} />}
      </List>
    </section>
  );
}

interface SearchProps {
  readonly query: string;
  /** The page that Enter opens if the search is unchanged. */
  readonly only: Route | undefined;
  readonly children: ComponentChildren;
}

function Search({ query, only, children }: SearchProps) {
  const [text, setText] = useState(query);
  const input = useRef<HTMLInputElement>(null);
  // useEffect would run after the page is painted, and discard text that was typed before it ran
  useLayoutEffect(() => setText(query), [query]);
  useKeys({ "/": () => input.current?.focus() });
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault();
          const asked = text.trim();
          go(asked === query && only !== undefined ? only : { page: "messages", query: asked });
        }}
      >
        <label for="q">Search</label>
        <input
          id="q"
          ref={input}
          type="search"
          value={text}
          maxLength={512}
          autocomplete="off"
          spellcheck={false}
          placeholder='to:+1202 status:failed after:7d "exact words"'
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            if (text === "") enterList();
            else go({ page: "messages", query: "" });
          }}
        />
        <button type="submit">Search</button>
        {children}
      </form>
    </search>
  );
}

function Nothing({ query, isMatched }: { readonly query: string; readonly isMatched: boolean }) {
  if (query === "") return <p class="nothing">No messages yet. Messages that your program sends appear here.</p>;
  return <p class="nothing">{isMatched ? "No messages match this search." : "No messages found."}</p>;
}

/** Describes the result: the number of rows, how phone numbers were read, and how far back the search went. */
function describeIndex({ index, list }: Messages): string {
  if (index === undefined) return "";
  const rows = list.rows.length.toLocaleString();
  const parts: string[] = [list.next === null ? rows : `the first ${rows}`];
  for (const { written, number } of index.readAs) parts.push(`${toVisible(written)} was read as ${number}`);
  if (list.isCut) parts[0] = `the newest ${rows}: narrow the search to see older ones`;
  if (!index.isComplete) parts.push("older messages are still being indexed");
  if (index.lookedBackTo !== null) parts.push(`searched back to ${new Date(index.lookedBackTo).toLocaleString()}`);
  return parts.join(" · ");
}
