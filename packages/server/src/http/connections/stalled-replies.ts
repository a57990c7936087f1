// Ends connections whose client does not read its reply: each holds unsent bytes in memory.

import type { Server } from "node:http";
import type { Socket } from "node:net";
import { clearInterval, setInterval } from "../../platform/timers.ts";

/**
 * Ends each open connection of `server` whose unsent bytes have not decreased for `stalledMs`. Connections are checked
 * periodically, at no cost to requests, so the end comes after one to three times as long.
 */
export function endStalledReplies(server: Server, open: ReadonlyMap<Socket, unknown>, stalledMs: number): void {
  const timer = setInterval(() => {
    for (const socket of open.keys()) {
      // Node's own timeout notices progress within a long write
      if (socket.writableLength > 0 && socket.timeout !== stalledMs) socket.setTimeout(stalledMs);
    }
  }, stalledMs).unref();
  server.on("timeout", (socket: Socket) => {
    // our timeout, but everything has been sent since: the next part of the reply is not ready yet
    if (socket.timeout === stalledMs && socket.writableLength === 0) return;
    socket.destroy();
  });
  server.once("close", () => clearInterval(timer));
}
