/** `--verbose`: traces requests and responses line by line, with the credentials masked. */
import type { Hooks } from "@msgctl/sdk";
import { printable } from "../../output/printable.ts";
import type { Sink } from "../../process/io.ts";
import { maskHeaders } from "./shown-headers.ts";

/** Creates SDK hooks that write the trace. `query` is appended to the address, since hooks get the address without it. */
export function traceTo(sink: Sink, query: Readonly<Record<string, unknown>>): Hooks {
  const say = (line: string) => sink.write(`${printable(line)}\n`);
  return {
    onRequest({ call, attempt, headers }) {
      say(`> ${call.method} ${call.url}${queryText(query)}${attempt === 1 ? "" : ` (attempt ${attempt})`}`);
      for (const [name, value] of maskHeaders(headers)) say(`> ${name}: ${value}`);
    },
    onResponse({ status, headers, durationMs }) {
      const requestId = headers.get("x-request-id");
      say(`< HTTP ${status}, ${requestId === null ? "" : `request id ${requestId}, `}${Math.round(durationMs)} ms`);
    },
    onRetry({ status, error, delayMs }) {
      say(`* ${error?.message ?? `HTTP ${status}.`} Sending it again in ${Math.round(delayMs)} ms.`);
    },
  };
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`,
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}
