// Moves between pages without loading them anew.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { addressOf, type Route, readRoute } from "./route.ts";

const MOVED = "dashboard:moved";

let mark: object | undefined;

/** Goes to a page. With `inPlace` the way back does not pass here. */
export function go(route: Route, { inPlace = false }: { inPlace?: boolean } = {}): void {
  if (inPlace) history.replaceState(null, "", addressOf(route));
  else {
    if (mark !== undefined) history.replaceState(mark, "");
    history.pushState(null, "", addressOf(route));
  }
  mark = undefined;
  dispatchEvent(new Event(MOVED));
}

/** Has something left with the present address when one goes from here, for when the way back leads here. */
export function leaveMark(left: object): void {
  // browsers refuse a history that is written at every key
  mark = left;
}

/** What was left with the present address, this once, if it is what is wanted. */
export function takeMark<Mark>(isWanted: (left: unknown) => left is Mark): Mark | undefined {
  const left: unknown = history.state;
  if (!isWanted(left)) return undefined;
  history.replaceState(null, "");
  return left;
}

/** The page of the present address. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location));
  // before the page is painted: a link followed at once must not be missed
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
    // another tab or window is the browser's
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
