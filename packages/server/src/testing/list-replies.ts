// For tests of long replies: a client that controls when it reads, and functions that wait for turns of the event loop.

import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { IssuedCredential } from "../domain/tenancy/tenants.ts";

/** Sends a request over a Unix domain socket. Returns the reply without reading its body. */
export function askSocket(
  socketPath: string,
  { apiKey, apiSecret }: Pick<IssuedCredential, "apiKey" | "apiSecret">,
  options: Pick<RequestOptions, "path" | "method" | "agent">,
): Promise<IncomingMessage> {
  const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret };
  return new Promise((resolve, reject) => {
    request({ socketPath, headers, ...options }, resolve)
      .on("error", reject)
      .end();
  });
}

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}
