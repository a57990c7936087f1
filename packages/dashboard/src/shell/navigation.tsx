// Moves between pages without reloading the document.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { addressOf, type Route, readRoute } from "./route.ts";

const MOVED = "dashboard:moved";

let mark: object | undefined;

/** Goes to a page. `inPlace` replaces the current entry of the history. */
export function go(route: Route, { inPlace = false }: { inPlace?: boolean } = {}): void {
  if (inPlace) history.replaceState(null, "", addressOf(route));
  else {
    if (mark !== undefined) history.replaceState(mark, "");
    history.pushState(null, "", addressOf(route));
  }
  mark = undefined;
  dispatchEvent(new Event(MOVED));
}

/** Sets the mark that `go` stores in the current history entry. `takeMark` returns it when the reader comes back. */
export function leaveMark(left: object): void {
  // do not write the history here, at every key: browsers limit how often a script may write it
  mark = left;
}

/** Returns and removes the mark of the current history entry; undefined if `isWanted` rejects it. */
export function takeMark<Mark>(isWanted: (left: unknown) => left is Mark): Mark | undefined {
  const left: unknown = history.state;
  if (!isWanted(left)) return undefined;
  history.replaceState(null, "");
  return left;
}

/** Returns the page of the current address. The component renders again when the address changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location));
  // listen before the page is painted: a link that is followed immediately must not be missed
  useLayoutEffect(() => {
    const read = () => setRoute(readRoute(location));
    const readBack = () => {
      mark = undefined;
      read();
    };
    addEventListener("popstate", readBack);
    addEventListener(MOVED, read);
    return () => {
      removeEventListener("popstate", readBack);
      removeEventListener(MOVED, read);
    };
  }, []);
  return route;
}

export interface LinkProps {
  readonly to: Route;
  readonly class?: string;
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}

export function Link({ to, class: name, isCurrent = false, children }: LinkProps) {
  const follow = (event: MouseEvent) => {
    // let the browser open another tab or window
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a href={addressOf(to)} class={name} aria-current={isCurrent ? "page" : undefined} onClick={follow}>
      {children}
    </a>
  );
}
