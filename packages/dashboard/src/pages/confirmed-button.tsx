import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../shell/failure.tsx";
import { useAction } from "./use-action.ts";

export interface ConfirmedButtonProps {
  /** Label of the button. An ellipsis is appended to show that the button asks for confirmation. */
  readonly words: string;
  readonly yes: string;
  readonly no: string;
  readonly run: () => Promise<void>;
}

/** Asks for confirmation, with the focus on the safe choice, and then runs an irreversible action. */
export function ConfirmedButton({ words, yes, no, run }: ConfirmedButtonProps) {
  const [isAsking, setAsking] = useState<boolean>();
  const first = useRef<HTMLButtonElement>(null);
  const action = useAction();
  useLayoutEffect(() => {
    if (isAsking !== undefined) first.current?.focus();
  }, [isAsking]);
  if (isAsking !== true) {
    return (
      <>
        <button key="ask" ref={first} type="button" onClick={() => setAsking(true)}>
          {words} …
        </button>
        {action.error !== undefined && <Failure error={action.error} />}
      </>
    );
  }
  return (
    <>
      <button
        type="button"
        class="grave"
        aria-disabled={action.isRunning}
        onClick={() => {
          setAsking(false);
          action.run(run);
        }}
      >
        {yes}
      </button>
      <button key="keep" ref={first} type="button" onClick={() => setAsking(false)}>
        {no}
      </button>
    </>
  );
}
