import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Failure } from "../shell/failure.tsx";
import { useAction } from "./use-action.ts";

export interface ConfirmedButtonProps {
  /** What it does; that it asks first is added. */
  readonly words: string;
  readonly yes: string;
  readonly no: string;
  readonly run: () => Promise<void>;
}

/** Does something that cannot be undone, once that was said twice. The focus goes to what is safe. */
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
