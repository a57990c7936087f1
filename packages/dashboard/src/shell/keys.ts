// Keys that act wherever the focus is, unless somebody types. A character may be a slip, or what a speech recognition has heard:
// all of them can be turned off (WCAG 2.2, 2.1.4).

import { useLayoutEffect, useRef } from "preact/hooks";

/** What is done by each key, by its `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, () => void>>;

const SETTING = "msgd.keys";
let areOn = readSetting() !== "off";

/** Has the keys act for as long as the component is shown. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // an effect runs only after the page is painted: a key pressed between the two would be lost
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const run = isMeant(event) ? latest.current[event.key] : undefined;
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

export function hasKeys(): boolean {
  return areOn;
}

/** Kept by this browser. */
export function turnKeys(on: boolean): void {
  areOn = on;
  try {
    localStorage.setItem(SETTING, on ? "on" : "off");
  } catch {
    // a browser that keeps nothing: until the page is loaded again
  }
}

/** Whether one of the keys that mean something else to the browser is held. */
export function isModified({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

function isMeant(event: KeyboardEvent): boolean {
  if (!areOn || event.defaultPrevented || event.isComposing || isModified(event)) return false;
  const { target } = event;
  const isTyped =
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));
  return !isTyped && document.querySelector("dialog[open]") === null;
}

function readSetting(): string | null {
  try {
    return localStorage.getItem(SETTING);
  } catch {
    return null;
  }
}
