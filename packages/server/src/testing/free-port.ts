// Finds ports for programs that cannot choose one themselves, or that have to listen on the same port again.

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Ports below the range that systems assign to outgoing connections, which may occupy a port without listening on it. */
const LOWEST_PORT = 20_000;
/** Each of vitest's workers has its own part of the range, because a port found by one may not be in use yet. */
const PARTS = 12;
const PART_PORTS = 1_000;

let next = randomInt(PART_PORTS);

/** Finds a free port of the loopback interface. It is not found again until all other ports were. */
export async function findFreePort(): Promise<number> {
  const part = Number(process.env.VITEST_POOL_ID ?? 0) % PARTS;
  for (;;) {
    const port = LOWEST_PORT + part * PART_PORTS + next;
    next = (next + 1) % PART_PORTS;
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
