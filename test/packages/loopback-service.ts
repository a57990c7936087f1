// A fake service on the loopback address, with just enough of the contract for the tested programs.

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface Loopback {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves until it is closed. */
export async function serve(listener: RequestListener): Promise<Loopback> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Defers the first request under each key, knows no merchant, and returns a number that no double can represent. */
export function answerExercise(): RequestListener {
  const seen = new Set<unknown>();
  return (request, response) => {
    const reply = (status: number, body: string, headers = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
    };
    const key = request.headers["idempotency-key"];
    const isAuthentic = request.headers["x-api-key"] === "the-key" && request.headers["x-api-secret"] === "the-secret";
    if (!isAuthentic) reply(401, '{"status":401,"code":"credentials_invalid","title":"No"}');
    else if (request.url === "/api/v1/voice/tts-calls/9007199254740993")
      reply(200, '{"requestId":"9007199254740993","callSessionId":9007199254740993}');
    else if (request.method !== "POST")
      reply(404, '{"status":404,"code":"merchant_not_found","title":"No such merchant"}');
    else if (!seen.has(key)) {
      seen.add(key);
      reply(503, '{"status":503,"code":"unavailable","title":"Not now"}', { "retry-after": "0" });
    } else reply(200, '{"merchantId":"m1","channel":"SMS","messageId":"msg_1","status":"QUEUED"}');
  };
}
