// Messages, calls and emails as they come, and as they are looked for.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "../../client/problem.ts";
import { Failure } from "../../shell/failure.tsx";
import { go } from "../../shell/navigation.tsx";
import type { Route } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { focusRows, MessageRows, showAll } from "./message-rows.tsx";
import { NamedLinks } from "./named-links.tsx";
import { onlyPage, useNamedThings } from "./named-things.ts";
import { ProjectChoice } from "./project-choice.tsx";
import { type Messages, useMessages } from "./use-messages.ts";

export function MessagesPage({ query }: { readonly query: string }) {
  const messages = useMessages(query);
  const { list, error, isLive, loadNext, reload } = messages;
  const named = useNamedThings(query);
  const { isDevelopment } = useSession();
  const isNothing = list.rows.length === 0 && (messages.index !== undefined || error !== undefined);
  // what names something need be no search
  const isShown =
    error !== undefined && !(named.things.length > 0 && error instanceof Problem && error.faults.length > 0);
  const only = isNothing ? onlyPage(named.things) : undefined;
  return (
    <section class="page messages">
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
      {named.things.length > 0 && <NamedLinks things={named.things} isEntered={only !== undefined} />}
      {isShown && <Failure error={error} again={reload} />}
      {error === undefined && named.error !== undefined && <Failure error={named.error} again={named.again} />}
      {list.more > 0 && (
        <button type="button" class="more" onClick={reload}>
          {list.more} new: show them
        </button>
      )}
      {error === undefined && isNothing && <Nothing query={query} isNamed={named.things.length > 0} />}
      <MessageRows rows={list.rows} loadNext={loadNext} />
    </section>
  );
}

interface SearchProps {
  readonly query: string;
  /** Where Enter leads if the search is left as it is. */
  readonly only: Route | undefined;
  readonly children: ComponentChildren;
}

function Search({ query, only, children }: SearchProps) {
  const [text, setText] = useState(query);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(query), [query]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)
        return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
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
            if (text === "") focusRows();
            else showAll();
          }}
        />
        <button type="submit">Search</button>
        {children}
      </form>
    </search>
  );
}

function Nothing({ query, isNamed }: { readonly query: string; readonly isNamed: boolean }) {
  if (query === "") return <p class="nothing">No message yet. What your program sends appears here.</p>;
  return <p class="nothing">{isNamed ? "No message is found by it." : "Nothing is found."}</p>;
}

/** How far the index has come, where that is not all the way. */
function describeIndex({ index, list }: Messages): string {
  if (index === undefined) return "";
  const parts: string[] = [`${list.rows.length}${list.next === null ? "" : " of more"}`];
  if (!index.isComplete) parts.push("older messages are still being indexed");
  if (index.lookedBackTo !== null) parts.push(`looked back to ${new Date(index.lookedBackTo).toLocaleString()}`);
  return parts.join(" · ");
}
