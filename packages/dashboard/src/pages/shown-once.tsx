import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useClipboard } from "./copies/use-clipboard.ts";

export interface ShownOnceProps {
  /** Secrets by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** Instructions for the reader. */
  readonly children: ComponentChildren;
  /** Called when the user hides the secrets. The caller then forgets them. */
  readonly done: () => void;
}

/** Shows a secret that the server returns only once. It is in this page's memory until dismissed. */
export function ShownOnce({ texts, children, done }: ShownOnceProps) {
  const { copied, copy } = useClipboard();
  const shown = useRef<HTMLElement>(null);
  // useEffect would run after the page is painted, and take the focus from what the reader has chosen since
  useLayoutEffect(() => shown.current?.focus(), []);
  return (
    <section ref={shown} class="next once" aria-label="Shown only once" tabIndex={-1}>
      {Object.entries(texts).map(([name, text]) => (
        <p key={name}>
          <span class="quiet">{name}</span> <code>{text}</code>{" "}
          <button type="button" aria-label={`Copy ${name}`} onClick={() => void copy(name, text)}>
            Copy
          </button>
        </p>
      ))}
      <p>{children}</p>
      <button type="button" onClick={done}>
        Hide
      </button>
      <p role="status">{copied === undefined ? "" : `${copied} is copied.`}</p>
    </section>
  );
}
