import type { Provider } from "../providers/provider.ts";

/** What has to be mended is mended by people. */
const RETRY_MS = 60_000;

/** Creates a provider that takes nothing, and says why. */
export function createUnusable(name: string, reason: string): Provider {
  return {
    name,
    submit: async () => ({
      outcome: "deferred",
      retryAfterMs: RETRY_MS,
      detail: `the carrier cannot be used: ${reason}`,
    }),
    capacity: () => 0,
    isBusy: () => false,
    start() {},
    async stop() {},
  };
}
