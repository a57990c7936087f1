/** One listener on a signal for all calls that share it: Node warns of a leak if there are more than ten. */
const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `act` when the signal is aborted. The returned function removes the listener. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const acts = listeners.get(signal) ?? new Set();
  acts.add(act);
  listeners.set(signal, acts);
  // Adding the same listener again has no effect.
  signal.addEventListener("abort", tellAll);
  return () => {
    acts.delete(act);
    if (acts.size === 0) signal.removeEventListener("abort", tellAll);
  };
}

function tellAll(this: AbortSignal): void {
  for (const act of listeners.get(this) ?? []) act();
}
