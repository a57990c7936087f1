import { useEffect, useState } from "preact/hooks";
import type { OperationId, ResponseOf } from "../api.ts";
import { type Asked, ask } from "../client/client.ts";

export interface Answered<K extends OperationId> {
  readonly answer: ResponseOf<K> | undefined;
  readonly error: unknown;
  readonly again: () => void;
}

/** Asks when the page opens, when what is asked for changes, and every `everyMs` while the page is in sight. */
export function useAnswer<K extends OperationId>(
  operationId: K,
  asked: Asked<K>,
  { everyMs }: { everyMs?: number } = {},
): Answered<K> {
  const [answer, setAnswer] = useState<ResponseOf<K>>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  const key = JSON.stringify(asked);
  useEffect(() => {
    const left = new AbortController();
    const load = () =>
      ask(operationId, { ...asked, signal: left.signal }).then(
        (found) => {
          setError(undefined);
          setAnswer(() => found);
        },
        (failure) => {
          if (!left.signal.aborted) setError(failure);
        },
      );
    void load();
    const timer =
      everyMs === undefined ? undefined : setInterval(() => document.visibilityState === "visible" && load(), everyMs);
    return () => {
      left.abort();
      clearInterval(timer);
    };
  }, [operationId, key, round]);
  return { answer, error, again: () => setRound((known) => known + 1) };
}
