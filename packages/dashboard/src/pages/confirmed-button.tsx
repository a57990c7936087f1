import { useEffect, useRef, useState } from "preact/hooks";

export interface ConfirmedButtonProps {
  /** What it does; that it asks first is added. */
  readonly words: string;
  readonly yes: string;
  readonly no: string;
  readonly run: () => void;
}

/** Does something that cannot be undone, once that was said twice. The focus goes to what is safe. */
export function ConfirmedButton({ words, yes, no, run }: ConfirmedButtonProps) {
  const [isAsking, setAsking] = useState<boolean>();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking !== undefined) first.current?.focus();
  }, [isAsking]);
  if (isAsking !== true) {
    return (
      <button key="ask" ref={first} type="button" onClick={() => setAsking(true)}>
        {words} …
      </button>
    );
  }
  return (
    <>
      <button
        type="button"
        class="grave"
        onClick={() => {
          setAsking(false);
          run();
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
