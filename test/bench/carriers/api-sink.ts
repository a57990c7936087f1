// Accepts and counts texts as Twilio's API does, each after the time that an API far away takes.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const ANSWER_MS = 50;

let taken = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    taken += 1;
    const sid = `SM${taken.toString(16).padStart(32, "0")}`;
    const answer = JSON.stringify({ sid, status: "queued", error_code: null });
    setTimeout(() => response.writeHead(201, { "content-type": "application/json" }).end(answer), ANSWER_MS);
  });
});
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("message", () => process.send?.({ taken }));
process.on("disconnect", () => process.exit());
