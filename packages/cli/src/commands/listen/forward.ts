/** Forwards a callback byte for byte to the handler under development. */

import type { IncomingMessage } from "node:http";
import { createSender, type Send } from "../../call/node-transport.ts";
import { readErrorCode, readMessage } from "../../failures/thrown.ts";
import type { NamedProxy } from "../../process/config.ts";
import { type Delivery, type Handled, pickCallbackHeaders } from "./delivery.ts";

export type Forward = (delivery: Delivery) => Promise<Handled>;

export interface ForwardOptions {
  /** Timeout for the handler's answer. */
  timeoutMs: number;
  /** Aborts requests in flight. */
  signal: AbortSignal;
  /** The proxy for requests to the handler. */
  proxy?: NamedProxy | undefined;
}

/** Posts to `url` without following redirects. Never rejects: errors are returned as the answer. */
export function createForward(url: URL, { timeoutMs, signal, proxy }: ForwardOptions): Forward {
  const send = createSender(proxy);
  return async (delivery) => {
    const begunAtMs = performance.now();
    const deadline = AbortSignal.timeout(timeoutMs);
    const ended = AbortSignal.any([signal, deadline]);
    const took = () => Math.round(performance.now() - begunAtMs);
    try {
      const { statusCode = 0, headers } = await post(url, delivery, { send, signal: ended });
      if (statusCode < 200 || statusCode > 599) {
        return { status: null, durationMs: took(), error: `it responded with an invalid status (${statusCode})` };
      }
      return { status: statusCode, durationMs: took(), error: null, retryAfter: usable(headers["retry-after"]) };
    } catch (error) {
      const reason = deadline.aborted
        ? `no response within ${timeoutMs / 1000} s`
        : signal.aborted
          ? "cut off, because msgctl exited"
          : explainFailure(error);
      return { status: null, durationMs: took(), error: reason };
    }
  };
}

async function post(
  url: URL,
  { body, headers }: Delivery,
  { send, signal }: { send: Send; signal: AbortSignal },
): Promise<IncomingMessage> {
  const options = {
    method: "POST",
    headers: { ...pickCallbackHeaders(headers), "content-length": body.length },
    // use a new connection: after a restart of the handler, kept connections would be stale
    agent: false,
    signal,
  } as const;
  const answer = await send(url, options, body);
  // Discard the body. The signal aborts a body that never ends.
  answer.on("error", () => {});
  answer.resume();
  return answer;
}

/** Returns the Retry-After value if it can be passed on to the service. */
function usable(retryAfter: string | undefined): string | undefined {
  return retryAfter !== undefined && /^[ -~]{1,64}$/.test(retryAfter) ? retryAfter : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing is listening there",
  ENOTFOUND: "there is no such host",
  ECONNRESET: "it closed the connection without a response",
};

function explainFailure(error: unknown): string {
  const code = readErrorCode(error) ?? "unknown reason";
  if (code === "EPROXY") return readMessage(error);
  return REASONS[code] ?? `no response (${code})`;
}
