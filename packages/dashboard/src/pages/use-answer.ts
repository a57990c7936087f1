import type { OperationId as ContractOperationId, ResponseOf as ContractResponseOf } from "@msgctl/contract";
import { useLayoutEffect, useState } from "preact/hooks";
import type { OperationId, ResponseOf } from "../api.ts";
import { type Asked, ask, type ContractAsked, call } from "../client/client.ts";

export interface Answered<T> {
  readonly answer: T | undefined;
  readonly error: unknown;
  readonly again: () => void;
}

/** The result of a request. */
export type Outcome<T> = { readonly answer: T } | { readonly error: unknown };

export interface Rounds<T> {
  /**
   * Milliseconds between a result and the next request while the page is visible, or a function that returns them for a
   * result. Undefined ends the polling. If a number changes, a request starts immediately. @default never
   */
  readonly everyMs?: number | ((outcome: Outcome<T>) => number | undefined) | undefined;
}

/** Calls `load` when the page opens, and again when `key` changes. The key identifies the request. */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs }: Rounds<T> = {},
): Answered<T> {
  const [answer, setAnswer] = useState<T>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  useLayoutEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (outcome: Outcome<T>) => {
      const pauseMs = typeof everyMs === "function" ? everyMs(outcome) : everyMs;
      if (pauseMs === undefined || left.signal.aborted) return;
      timer = setTimeout(() => (document.visibilityState === "visible" ? run() : wait(outcome)), pauseMs);
    };
    const run = () =>
      load(left.signal).then(
        (found) => {
          setError(undefined);
          setAnswer(() => found);
          wait({ answer: found });
        },
        (failure) => {
          if (!left.signal.aborted) setError(failure);
          wait({ error: failure });
        },
      );
    void run();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
    // a function is a new one at each rendering, but decides alike
  }, [key, round, typeof everyMs === "function" ? "by result" : everyMs]);
  return { answer, error, again: () => setRound((known) => known + 1) };
}

/** Calls an operation of the dashboard's API. */
export function useAnswer<K extends OperationId>(
  operationId: K,
  asked: Asked<K>,
  rounds?: Rounds<ResponseOf<K>>,
): Answered<ResponseOf<K>> {
  const key = `${operationId} ${JSON.stringify(asked)}`;
  return useLoaded(key, (signal) => ask(operationId, { ...asked, signal }), rounds);
}

/** Calls an operation of the contract. */
export function useCall<K extends ContractOperationId>(
  operationId: K,
  asked: ContractAsked<K>,
  rounds?: Rounds<ContractResponseOf<K>>,
): Answered<ContractResponseOf<K>> {
  const key = `${operationId} ${JSON.stringify(asked)}`;
  return useLoaded(key, (signal) => call(operationId, { ...asked, signal }), rounds);
}
