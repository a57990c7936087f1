// A server that follows the contract except for altered replies: a real server behind a proxy.

import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChangeableReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Alters a reply in place; `path` is without its query. */
export type Change = (reply: ChangeableReply, request: { method: string; path: string }) => void;

/** Listens on a free loopback port until it is closed. */
export async function startFaultyProxy(baseUrl: string, change: Change): Promise<{ url: string; close(): void }> {
  // the server behind the proxy has to see and refuse headers that are too long
  const server = createServer({ maxHeaderSize: 65_536 }, (incoming, outgoing) => {
    const { method = "GET", url = "/", headers } = incoming;
    const asked = httpRequest(new URL(url, baseUrl), { method, headers, agent: false }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer as AsyncIterable<Buffer>) parts.push(part);
      const reply: ChangeableReply = {
        status: answer.statusCode ?? 0,
        headers: answer.headers as Record<string, string>,
        body: Buffer.concat(parts).toString(),
      };
      change(reply, { method, path: url.split("?", 1)[0] ?? "/" });
      const { "content-length": _length, "transfer-encoding": _encoding, ...kept } = reply.headers;
      outgoing.writeHead(reply.status, kept).end(reply.body);
    });
    asked.on("error", () => outgoing.destroy());
    incoming.pipe(asked);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
