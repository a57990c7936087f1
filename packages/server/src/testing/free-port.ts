import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Ports below the range that systems assign to outgoing connections and to servers that ask for any port. */
const LOWEST_PORT = 20_000;
const HIGHEST_PORT = 32_000;

/** Finds a free port, for a program that cannot choose one itself or has to listen on the same port again. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
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
