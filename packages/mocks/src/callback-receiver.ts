// Receivers of callbacks, instead of the network: the test's own handler, or a URL through the global fetch.

import { AsyncLocalStorage } from "node:async_hooks";
import { type Poster, type PostResult, timers } from "@msgctl/server/in-process";
import type { CallbackHandler } from "./mock-service.ts";
import { MockUsageError } from "./usage-error.ts";

/** Time for which the service waits for a receiver, on the machine's clock. */
const PATIENCE_MS = 15_000;
/** The same, if the receiver's last callback timed out. Moving the clock by days makes dozens of attempts. */
const PATIENCE_AFTER_SILENCE_MS = 250;

export interface CallbackReceiver {
  readonly poster: Poster;
  /** Sends callbacks to `receiver` until another receiver is set, or the returned function is called. */
  receive(receiver: CallbackHandler | string | URL): () => void;
  /** Ends the callbacks in flight. Delivers no callback to a handler until `reset` is over. */
  forget(reset: Promise<unknown>): void;
  /** Stops waiting for handlers: their callbacks count as interrupted. */
  interrupt(): void;
  /** Whether the caller is a handler that the service waits for. */
  isHandling(): boolean;
}

/** Answers 204 to callbacks if no receiver is set. Passes errors that a handler throws to `printError`. */
export function createCallbackReceiver(printError: (line: string) => void): CallbackReceiver {
  let handler: CallbackHandler | undefined;
  let resets = 0;
  const silent = new WeakSet<CallbackHandler>();
  const underWay = new Set<AbortController>();
  const current = new AsyncLocalStorage<AbortController>();

  function interrupt(): void {
    for (const abort of underWay) abort.abort("interrupted");
  }

  async function ask(receive: CallbackHandler, request: Request): Promise<PostResult> {
    try {
      const response = await receive(request);
      const status = response?.status ?? 204;
      return { status, outcome: String(status), retryAfter: response?.headers.get("retry-after") ?? undefined };
    } catch (error) {
      if (request.signal.aborted) throw error;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      printError(`@msgctl/mocks: the handler of a callback to ${request.url} threw, which counts as 500: ${text}`);
      return { status: 500, outcome: "500" };
    }
  }

  return {
    poster: {
      async post({ url, headers, body }) {
        // a callback posted during a reset belongs to the state before the reset
        if (handler === undefined || resets > 0) return { status: 204, outcome: "204" };
        const asked = handler;
        const abort = new AbortController();
        const wasSilent = silent.has(asked);
        const keepSilent = () => {
          if (!wasSilent) printError(describeSilence(url));
          silent.add(asked);
          abort.abort("timeout");
        };
        const timer = timers.setTimeout(keepSilent, wasSilent ? PATIENCE_AFTER_SILENCE_MS : PATIENCE_MS);
        underWay.add(abort);
        const ended = new Promise<PostResult>((resolve) => {
          abort.signal.addEventListener("abort", () =>
            resolve({ status: undefined, outcome: String(abort.signal.reason) }),
          );
        });
        const request = new Request(url, { method: "POST", headers, body, signal: abort.signal });
        try {
          const answered = current.run(abort, ask, asked, request).then(
            (result) => {
              silent.delete(asked);
              return result;
            },
            () => ended,
          );
          return await Promise.race([answered, ended]);
        } finally {
          timers.clearTimeout(timer);
          underWay.delete(abort);
        }
      },
      close: interrupt,
    },
    receive(receiver) {
      const given: CallbackHandler = typeof receiver === "function" ? receiver : forwardTo(requireUrl(receiver));
      handler = given;
      silent.delete(given);
      return () => {
        if (handler === given) handler = undefined;
      };
    },
    forget(reset) {
      handler = undefined;
      resets += 1;
      const end = () => {
        resets -= 1;
      };
      reset.then(end, end);
      interrupt();
    },
    interrupt,
    isHandling() {
      const abort = current.getStore();
      return abort !== undefined && underWay.has(abort) && !abort.signal.aborted;
    },
  };
}

function describeSilence(url: string): string {
  const [patience, rest] = [`${PATIENCE_MS / 1_000} s`, `${PATIENCE_AFTER_SILENCE_MS} ms`];
  return `@msgctl/mocks: a callback to ${url} was not answered within ${patience}. Its handler has ${rest} from now on, until it answers.`;
}

function requireUrl(given: string | URL): URL {
  if (URL.canParse(String(given))) return new URL(given);
  throw new MockUsageError(`service.onCallback: expected a function or an absolute URL; received ${String(given)}.`);
}

function forwardTo(url: URL): CallbackHandler {
  return async (request) => {
    const { headers, signal } = request;
    return globalThis.fetch(url, { method: "POST", headers, body: await request.text(), signal });
  };
}
