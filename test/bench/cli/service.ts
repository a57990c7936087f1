// A separate process that answers each request, on a new connection, with the contract's example of a list of merchants.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { merchantsReply } from "../../e2e/merchants-reply.ts";

const server = createServer({ keepAlive: false }, (_request, response) => {
  response.writeHead(200, { "content-type": "application/json", connection: "close" }).end(merchantsReply);
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening on 127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
