/**
 * The SDK's `fetch` over node:http and node:https. The platform's own fetch costs every start of the tool more than
 * everything else together (Node loads undici for it); this provides exactly the parts of a reply that the SDK reads.
 */
import type { IncomingMessage, RequestOptions } from "node:http";
import type { Fetch, FetchInit } from "@msgctl/sdk";

/** Sends one request. Redirects are never followed, and no proxy or cookie is involved. */
export const nodeTransport: Fetch = async (url, init) => {
  const { request } = url.startsWith("https:") ? await import("node:https") : await import("node:http");
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = request(url, toOptions(init), resolve);
    outgoing.on("error", reject);
    outgoing.end(init.body);
  });
  return toResponse(message);
};

function toOptions({ method, headers, signal }: FetchInit): RequestOptions {
  return signal === undefined ? { method, headers } : { method, headers, signal };
}

function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const chunks = message[Symbol.asyncIterator]();
  const reader = { read: () => chunks.next(), cancel: async () => message.destroy() };
  const reply = {
    status,
    ok: status >= 200 && status < 300,
    type: "default",
    headers: { get: (name: string) => readHeader(message, name) },
    body: { getReader: () => reader },
  };
  // Nothing reads the rest of Response, and its streams would load undici.
  return reply as unknown as Response;
}

function readHeader(message: IncomingMessage, name: string): string | null {
  const value = message.headers[name.toLowerCase()];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(", ") : value;
}
