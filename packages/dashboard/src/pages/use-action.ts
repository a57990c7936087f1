import { useState } from "preact/hooks";

export interface Action {
  /** For `aria-disabled` of the button: browsers take the focus from a `disabled` button, and the next key is lost. */
  readonly isRunning: boolean;
  readonly error: unknown;
  /** Runs the action. Does nothing if an action is still running. */
  readonly run: (work: () => Promise<void>) => void;
}

/** Runs actions on demand, one at a time. */
export function useAction(): Action {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = (work: () => Promise<void>) => {
    if (isRunning) return;
    setRunning(true);
    setError(undefined);
    work()
      .catch((failure) => setError(failure))
      .finally(() => setRunning(false));
  };
  return { isRunning, error, run };
}
