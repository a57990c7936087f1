// Accepts all emails and discards them.

import { type AddressInfo, createServer } from "node:net";

const MOST_BYTES = 4 * 2 ** 20;

const server = createServer((socket) => {
  let bytes = 0;
  let last = "";
  let isMail = false;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    if (socket.writableEnded) return;
    if (bytes === 0) {
      isMail = /\r\nDATA\r\n/.test(chunk.toString("latin1", 0, 200));
      socket.write(isMail ? "220 x\r\n250 x\r\n250 x\r\n250 x\r\n354 x\r\n" : "500 x\r\n");
    }
    bytes += chunk.length;
    last = (last + chunk.toString("latin1", Math.max(0, chunk.length - 5))).slice(-5);
    if (!isMail || bytes > MOST_BYTES) socket.destroySoon();
    else if (last === "\r\n.\r\n") socket.end("250 x\r\n");
  });
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
