import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

export interface DialogProps {
  readonly title: string;
  /** Called when the user presses the button Close or the key Esc. */
  readonly close: () => void;
  readonly children: ComponentChildren;
}

/** A dialog that covers the page. When it closes, the focus returns to the previous element. */
export function Dialog({ title, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  // do not use the event `close`: it fires a frame later, when another dialog may already be open
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
