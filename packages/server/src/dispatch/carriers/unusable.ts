import type { Provider } from "../providers/provider.ts";

/** Creates a provider that takes nothing, and says why: what is meant for it waits. */
export function createUnusable(name: string, reason: string): Provider {
  const unreached = `it cannot be used: ${reason}`;
  return {
    name,
    submit: () => Promise.reject(new Error(unreached)),
    capacity: () => 0,
    isBusy: () => false,
    start(_sink, noteReach) {
      noteReach?.(unreached);
    },
    async stop() {},
  };
}
