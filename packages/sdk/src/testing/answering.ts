/** For tests: a client whose requests are answered in process, and a real server on the loopback address. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { operations } from "@msgctl/contract";
import { onTestFinished } from "vitest";
import { type ClientOptions, type FetchInit, MessagingClient } from "../index.ts";

export const API_KEY = "mkt_test_key";
export const API_SECRET = "mks_the_secret";
export const BASE_URL = "https://api.example.test";

export interface Sent extends FetchInit {
  url: string;
}

/** A client whose requests are answered by `answer`, without retries by default, and the requests that it sent. */
export function answered(answer: (sent: Sent) => Response | Promise<Response>, options: ClientOptions = {}) {
  const sent: Sent[] = [];
  const client = new MessagingClient({
    apiKey: API_KEY,
    apiSecret: API_SECRET,
    baseUrl: BASE_URL,
    maxRetries: 0,
    fetch: async (url, init) => {
      const request = { url, ...init };
      sent.push(request);
      return answer(request);
    },
    ...options,
  });
  return { client, sent };
}

/** A successful reply to any operation that replies with one object. */
export function accepted(init?: ResponseInit): Response {
  return Response.json(identified, init);
}

/** An object with the members that identify a reply of any operation. */
export const identified = Object.fromEntries(
  Object.values(operations)
    .flatMap(({ identity }) => identity)
    .map((name) => [name, "1"]),
);

/** A problem document in the service's form. */
export function problem(
  status: number,
  code: string,
  more: object = {},
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify({ status, code, title: code, ...more }), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}

interface Loopback {
  origin: string;
  /** The requests that the server received. */
  received: IncomingMessage[];
  close(): Promise<void>;
}

/** A server that answers with `listener` until the test ends. */
export async function loopback(listener: RequestListener): Promise<Loopback> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    listener(request, response);
  });
  const close = async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close };
}
