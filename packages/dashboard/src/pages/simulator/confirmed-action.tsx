import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ConfirmedButton, type ConfirmedButtonProps } from "../confirmed-button.tsx";

export interface ConfirmedActionProps extends Omit<ConfirmedButtonProps, "run"> {
  readonly id: string;
  readonly title: string;
  /** Description of the action. */
  readonly children: ComponentChildren;
  /** Shown when the action is done. */
  readonly done: string;
  readonly act: () => Promise<void>;
}

/** An action that asks for confirmation, in a separate panel. */
export function ConfirmedAction({ id, title, children, done, act, ...words }: ConfirmedActionProps) {
  const [isDone, setDone] = useState(false);
  const run = async () => {
    setDone(false);
    await act();
    setDone(true);
  };
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{children}</p>
      <div class="fields">
        <ConfirmedButton {...words} run={run} />
      </div>
      <p role="status">{isDone ? done : ""}</p>
    </section>
  );
}
