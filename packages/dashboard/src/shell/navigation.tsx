// Moves between pages without loading them anew.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { addressOf, type Route, readRoute } from "./route.ts";

const MOVED = "dashboard:moved";

/** Goes to a page. With `inPlace` the way back does not pass here. */
export function go(route: Route, { inPlace = false }: { inPlace?: boolean } = {}): void {
  if (inPlace) history.replaceState(null, "", addressOf(route));
  else history.pushState(null, "", addressOf(route));
  dispatchEvent(new Event(MOVED));
}

/** Leaves something with the present address, for when the way back leads here. */
export function leaveMark(mark: object): void {
  history.replaceState(mark, "");
}

/** What was left with the present address, this once. */
export function takeMark(): unknown {
  const { state } = history;
  if (state !== null) history.replaceState(null, "");
  return state;
}

/** The page of the present address. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location));
  useEffect(() => {
    const read = () => setRoute(readRoute(location));
    addEventListener("popstate", read);
    addEventListener(MOVED, read);
    return () => {
      removeEventListener("popstate", read);
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
