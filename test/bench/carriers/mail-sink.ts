// Accepts and counts emails as fast as a process can, at almost no cost to the machine of the measured server.

import { type AddressInfo, createServer, type Socket } from "node:net";

let taken = 0;

function serve(socket: Socket): void {
  let text = "";
  let isData = false;
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.write("220 sink\r\n");
  socket.on("data", (chunk) => {
    text += chunk.toString("latin1");
    let replies = "";
    for (;;) {
      const end = text.indexOf(isData ? "\r\n.\r\n" : "\r\n");
      if (end === -1) break;
      const line = text.slice(0, end);
      text = text.slice(end + (isData ? 5 : 2));
      if (isData) {
        isData = false;
        taken += 1;
        replies += `250 2.0.0 Ok: queued as ${taken}\r\n`;
        continue;
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === "EHLO") replies += "250-sink\r\n250-PIPELINING\r\n250-DSN\r\n250 ENHANCEDSTATUSCODES\r\n";
      else if (verb === "DATA") {
        isData = true;
        replies += "354 go on\r\n";
      } else if (verb === "QUIT") return void socket.end(`${replies}221 bye\r\n`);
      else replies += "250 2.0.0 Ok\r\n";
    }
    if (replies !== "") socket.write(replies);
  });
}

const server = createServer(serve);
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => process.send?.({ taken }));
process.on("disconnect", () => process.exit());
