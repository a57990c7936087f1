// For tests of callbacks: receivers on this machine that answer as the test specifies, and record what they receive.

import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly host: string;
  readonly received: Received[];
  /** The highest number of concurrent requests so far. */
  readonly mostOpen: number;
  close(): Promise<void>;
}

/** Answers request number `index`, from 0. A function that does nothing leaves the request open. */
export type Answer = (response: ServerResponse, index: number) => void;

/** Opens a receiver, over https if given a certificate, as PEM. */
export async function openReceiver(answer: Answer, tls?: { key: string; cert: string }): Promise<Receiver> {
  const received: Received[] = [];
  let open = 0;
  let mostOpen = 0;
  const listener: RequestListener = (request, response) => {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    response.on("close", () => {
      open -= 1;
    });
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      answer(response, received.length - 1);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${tls === undefined ? "http" : "https"}://${host}/hook`,
    host,
    received,
    get mostOpen() {
      return mostOpen;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** Answers with each of `statuses` in turn, then always with the last one. */
export function answering(...statuses: readonly number[]): Answer {
  return (response, index) => {
    response.writeHead(statuses[Math.min(index, statuses.length - 1)] ?? 200).end("thanks");
  };
}

/** Resolves when an HTTP client of this process has received the next reply's status and headers. */
export function nextReply(): Promise<void> {
  return new Promise((resolve) => {
    const take = () => {
      unsubscribe("http.client.response.finish", take);
      resolve();
    };
    subscribe("http.client.response.finish", take);
  });
}
