// Where callbacks go in place of the network: to the test's own handler, or to a URL by way of the global fetch.

import { AsyncLocalStorage } from "node:async_hooks";
import type { Poster, PostResult } from "@msgctl/server/in-process";
import type { CallbackHandler } from "./mock-service.ts";
import { MockUsageError } from "./usage-error.ts";

/** As long as the service waits for a receiver, on the machine's clock. */
const TIMEOUT_MS = 15_000;

export interface CallbackReceiver {
  readonly poster: Poster;
  /** Has callbacks reach `receiver` until another is given, or what is returned is called. */
  receive(receiver: CallbackHandler | string | URL): () => void;
  /** Ends what is being received, and has nobody receive what comes. */
  forget(): void;
  /** Whether the caller is a handler that the service waits for. */
  isHandling(): boolean;
}

/** Callbacks that nobody receives are taken with 204. `printError` is told of what a handler throws. */
export function createCallbackReceiver(printError: (line: string) => void): CallbackReceiver {
  let handler: CallbackHandler | undefined;
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
        if (handler === undefined) return { status: 204, outcome: "204" };
        const abort = new AbortController();
        const timer = setTimeout(() => {
          printError(`@msgctl/mocks: a callback to ${url} was not answered within ${TIMEOUT_MS / 1_000} s.`);
          abort.abort("timeout");
        }, TIMEOUT_MS);
        underWay.add(abort);
        const ended = new Promise<PostResult>((resolve) => {
          abort.signal.addEventListener("abort", () =>
            resolve({ status: undefined, outcome: String(abort.signal.reason) }),
          );
        });
        const request = new Request(url, { method: "POST", headers, body, signal: abort.signal });
        try {
          return await Promise.race([current.run(abort, ask, handler, request).catch(() => ended), ended]);
        } finally {
          clearTimeout(timer);
          underWay.delete(abort);
        }
      },
      close: interrupt,
    },
    receive(receiver) {
      const given: CallbackHandler = typeof receiver === "function" ? receiver : forwardTo(requireUrl(receiver));
      handler = given;
      return () => {
        if (handler === given) handler = undefined;
      };
    },
    forget() {
      handler = undefined;
      interrupt();
    },
    isHandling() {
      const abort = current.getStore();
      return abort !== undefined && underWay.has(abort) && !abort.signal.aborted;
    },
  };
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
