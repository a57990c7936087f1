/**
 * A `fetch` for the SDK over node:http and node:https. Node's own fetch loads undici, which would take longer than the rest of
 * the tool's start. This one provides only the parts of a reply that the SDK reads.
 */
import type { IncomingMessage, RequestOptions } from "node:http";
import type { Fetch, FetchInit } from "@msgctl/sdk";
import type { NamedProxy } from "../process/config.ts";
import { readProxyUrl } from "./proxy/find-proxy.ts";

/** Sends requests, through the proxy if there is one. Never follows redirects, and ignores cookies. */
export function nodeTransport(proxy: NamedProxy | undefined): Fetch {
  const send = createSender(proxy);
  return async (url, init) => toResponse(await send(new URL(url), toOptions(init), init.body));
}

export type Send = (url: URL, options: RequestOptions, body?: string | Uint8Array) => Promise<IncomingMessage>;

/** Creates the function that sends all requests. @throws {CliError} If the proxy cannot be used. */
export function createSender(proxy: NamedProxy | undefined): Send {
  const at = proxy && { url: readProxyUrl(proxy), variable: proxy.variable };
  return async (url, options, body) => {
    const route = at && (await import("./proxy/through-proxy.ts")).routeThrough(at, url, options);
    const { to = url, options: sent = options } = route ?? {};
    const { request } = to.protocol === "https:" ? await import("node:https") : await import("node:http");
    return new Promise((resolve, reject) => {
      const outgoing = request(to, sent, (message) => {
        const refusal = route?.judge(message);
        if (refusal === undefined) return resolve(message);
        message.destroy();
        reject(refusal);
      });
      outgoing.on("error", (error) => reject(route?.explain(error) ?? error));
      outgoing.end(body);
    });
  };
}

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
  // The SDK reads no other members. A real Response would load undici for its streams.
  return reply as unknown as Response;
}

function readHeader(message: IncomingMessage, name: string): string | null {
  const value = message.headers[name.toLowerCase()];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(", ") : value;
}
