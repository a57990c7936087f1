import type { OperationId as ContractOperationId, ResponseOf as ContractResponseOf } from "@msgctl/contract";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { OperationId, ResponseOf } from "../api.ts";
import { type Asked, ask, type ContractAsked, call } from "../client/client.ts";

export interface Answered<T> {
  readonly answer: T | undefined;
  readonly error: unknown;
  readonly again: () => void;
}

export interface Rounds {
  /** Milliseconds between requests while the page is visible. If it changes, a request starts immediately. @default never */
  readonly everyMs?: number | undefined;
}

/** Calls `load` when the page opens, and again when `key` changes. The key identifies the request. */
export function useLoaded<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  { everyMs }: Rounds = {},
): Answered<T> {
  const [answer, setAnswer] = useState<T>();
  const [error, setError] = useState<unknown>();
  const [round, setRound] = useState(0);
  useLayoutEffect(() => {
    const left = new AbortController();
    const run = () =>
      load(left.signal).then(
        (found) => {
          setError(undefined);
          setAnswer(() => found);
        },
        (failure) => {
          if (!left.signal.aborted) setError(failure);
        },
      );
    void run();
    const timer =
      everyMs === undefined ? undefined : setInterval(() => document.visibilityState === "visible" && run(), everyMs);
    return () => {
      left.abort();
      clearInterval(timer);
    };
  }, [key, round, everyMs]);
  return { answer, error, again: () => setRound((known) => known + 1) };
}

/** Calls an operation of the dashboard's API. */
export function useAnswer<K extends OperationId>(
  operationId: K,
  asked: Asked<K>,
  rounds?: Rounds,
): Answered<ResponseOf<K>> {
  const key = `${operationId} ${JSON.stringify(asked)}`;
  return useLoaded(key, (signal) => ask(operationId, { ...asked, signal }), rounds);
}

/** Calls an operation of the contract. */
export function useCall<K extends ContractOperationId>(
  operationId: K,
  asked: ContractAsked<K>,
  rounds?: Rounds,
): Answered<ContractResponseOf<K>> {
  const key = `${operationId} ${JSON.stringify(asked)}`;
  return useLoaded(key, (signal) => call(operationId, { ...asked, signal }), rounds);
}

/** Polls an operation of the dashboard's API until its answer is final. */
export function useAnswerUntil<K extends OperationId>(
  operationId: K,
  asked: Asked<K>,
  isOver: (answer: ResponseOf<K>) => boolean,
  everyMs: number,
): Answered<ResponseOf<K>> {
  return useUntil((rounds) => useAnswer(operationId, asked, rounds), isOver, everyMs);
}

/** Polls an operation of the contract until its answer is final. */
export function useCallUntil<K extends ContractOperationId>(
  operationId: K,
  asked: ContractAsked<K>,
  isOver: (answer: ContractResponseOf<K>) => boolean,
  everyMs: number,
): Answered<ContractResponseOf<K>> {
  return useUntil((rounds) => useCall(operationId, asked, rounds), isOver, everyMs);
}

function useUntil<T>(
  useAnswered: (rounds: Rounds) => Answered<T>,
  isOver: (answer: T) => boolean,
  everyMs: number,
): Answered<T> {
  const [hasEnded, setEnded] = useState(false);
  const answered = useAnswered({ everyMs: hasEnded ? undefined : everyMs });
  const { answer } = answered;
  useEffect(() => setEnded(answer !== undefined && isOver(answer)), [answer]);
  return answered;
}
