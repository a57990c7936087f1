// Puts the page's name into the tab and the history, and focuses the page's heading for screen readers.

import { useLayoutEffect, useRef } from "preact/hooks";
import { addressOf, type Route } from "./route.ts";

/**
 * Sets the document's title to the page's heading. When another page is opened, focuses the heading, so that a screen
 * reader reads it. A new filter or search does not count as another page.
 */
export function useHeading(route: Route): void {
  // the same for all views of one page
  const place = `${addressOf(route).replace(/\?.*/, "")} ${idOf(route)}`;
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // `history.state` is set if the reader comes back to a list: the list then focuses the row that the reader left
    let mustFocus = !isFirst.current && history.state === null;
    isFirst.current = false;
    const focused = document.activeElement;
    const look = () => {
      const heading = document.querySelector("h1");
      if (heading === null) return;
      const title = `${[heading.textContent, idOf(route)].filter(Boolean).join(" ")} · msgd`;
      if (document.title !== title) document.title = title;
      if (!mustFocus) return;
      mustFocus = false;
      const { activeElement } = document;
      // if the reader has moved the focus in the meantime, leave it there
      if (activeElement !== focused && activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus();
    };
    look();
    // if the content loads late, its heading appears late too
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [place]);
}

/** An id that distinguishes the page from others with the same heading. */
function idOf(route: Route): string {
  switch (route.page) {
    case "message":
      return route.messageId;
    case "call":
      return route.requestId;
    case "callback":
      return route.webhookId;
    case "requests":
      return route.requestId;
    default:
      return "";
  }
}
