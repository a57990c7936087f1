// Ends connections whose client takes nothing of its reply: each holds what is still to be sent.

import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Ends each connection of `server` whose unsent bytes have not become fewer for `stalledMs`. It is looked at from time to
 * time and costs a request nothing, so that the end comes after one to three times as long.
 */
export function endStalledReplies(server: Server, stalledMs: number): void {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const timer = setInterval(() => {
    for (const socket of open) {
      // Node's own timeout sees what the system takes of a long write
      if (socket.writableLength > 0 && socket.timeout !== stalledMs) socket.setTimeout(stalledMs);
    }
  }, stalledMs).unref();
  server.on("timeout", (socket: Socket) => {
    // ours, and all has been taken since: the reply's next part is not there yet
    if (socket.timeout === stalledMs && socket.writableLength === 0) return;
    socket.destroy();
  });
  server.once("close", () => clearInterval(timer));
}
