import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Keeps the focus near a button that vanishes with its row: it moves to the button that takes its place, else to the last
 * one, else to the heading. Returns the ref of the list. `rows` changes with the rows.
 */
export function useKeptFocus<List extends HTMLElement>(headingId: string, rows: unknown): RefObject<List> {
  const list = useRef<List>(null);
  const listButtons = () => [...(list.current?.querySelectorAll<HTMLElement>("button") ?? [])];
  // read before the rows change: the browser then has forgotten which element had the focus
  const place = listButtons().indexOf(document.activeElement as HTMLElement);
  useLayoutEffect(() => {
    if (place < 0 || list.current?.contains(document.activeElement)) return;
    const left = listButtons();
    const heading = document.getElementById(headingId);
    heading?.setAttribute("tabindex", "-1");
    (left[Math.min(place, left.length - 1)] ?? heading)?.focus();
  }, [rows]);
  return list;
}
