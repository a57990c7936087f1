// Keyboard shortcuts that work wherever the focus is, unless the user is typing. A character key may be pressed by mistake
// or by misheard speech input, so users can turn the shortcuts off (WCAG 2.2, 2.1.4).

import { useLayoutEffect, useRef } from "preact/hooks";
import { characterKeys } from "./setting.ts";

/** Actions by key, as in `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, () => void>>;

/** Binds the keys for as long as the component is shown. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  // useEffect would run after the page is painted, and a key pressed before it ran would be lost
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

/** Whether Ctrl, Alt or Meta is held: browsers have shortcuts of their own with these modifiers. */
export function isModified({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || altKey || metaKey;
}

function isMeant(event: KeyboardEvent): boolean {
  // the setting concerns only keys that are a character
  if (
    (!characterKeys.isOn() && event.key.length === 1) ||
    event.defaultPrevented ||
    event.isComposing ||
    isModified(event)
  )
    return false;
  const { target } = event;
  const isTyped =
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));
  return !isTyped && document.querySelector("dialog[open]") === null;
}
