/** One listener on a signal for all calls that share it: Node warns of a leak where there are more than ten. */
const listeners = new WeakMap<AbortSignal, { readonly acts: Set<() => void>; readonly tellAll: () => void }>();

/** Calls `act` once the signal is aborted; the function returned takes that back. */
export function onAbort(signal: AbortSignal, act: () => void): () => void {
  const { acts, tellAll } = listeners.get(signal) ?? listen(signal);
  acts.add(act);
  return () => {
    acts.delete(act);
    if (acts.size > 0) return;
    listeners.delete(signal);
    signal.removeEventListener("abort", tellAll);
  };
}

function listen(signal: AbortSignal) {
  const acts = new Set<() => void>();
  const listener = {
    acts,
    tellAll: () => {
      for (const act of acts) act();
    },
  };
  listeners.set(signal, listener);
  signal.addEventListener("abort", listener.tellAll);
  return listener;
}
