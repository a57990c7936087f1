// The search box of every page. It finds messages, and opens whatever has the id that is pasted.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { enterTable } from "../elements/table.tsx";
import { Icon } from "./icon.tsx";
import { useKeys } from "./keys.ts";
import { go } from "./navigation.tsx";
import { allMessages, type Route } from "./route.ts";

let only: Route | undefined;

/** Sets the page that Enter opens if the search is unchanged: its only match. */
export function setOnlyMatch(page: Route | undefined): void {
  only = page;
}

export function Find({ route }: { readonly route: Route }) {
  const query = route.page === "messages" ? route.query : "";
  const [text, setText] = useState(query);
  const input = useRef<HTMLInputElement>(null);
  // an effect would run only after the page is painted, and discard text typed before that
  useLayoutEffect(() => setText(query), [query, route.page]);
  useKeys({ "/": () => input.current?.focus() });
  return (
    <search class="find">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const asked = text.trim();
          const isSame = route.page === "messages" && asked === query;
          go(isSame && only !== undefined ? only : { ...allMessages, query: asked });
        }}
      >
        <label for="q" class="visually-hidden">
          Search
        </label>
        <Icon name="search" />
        <input
          id="q"
          ref={input}
          type="search"
          value={text}
          maxLength={512}
          autocomplete="off"
          spellcheck={false}
          placeholder="Search a number, address, id or words"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape") return;
            if (text === "") enterTable();
            else if (route.page === "messages") go(allMessages);
            else setText("");
          }}
        />
        <kbd>/</kbd>
      </form>
    </search>
  );
}
