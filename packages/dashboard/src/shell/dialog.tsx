import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface DialogProps {
  readonly title: string;
  /** Called when it should close: by its button, or by Esc. */
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** Covers the page. When it closes, the focus returns to where it was. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  // not by the event `close`: it fires a frame later, when another dialog may have been opened
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onCancel={close}>
      <h2 id={id}>{title}</h2>
      {children}
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
