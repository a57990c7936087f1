// A server that a test makes misbehave.

import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Runs a function with such a server, on a free port. Headers of any length reach the listener. */
export async function withServer<Result>(
  listener: RequestListener,
  run: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer({ maxHeaderSize: 65_536 }, listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
