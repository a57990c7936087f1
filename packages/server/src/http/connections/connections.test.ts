import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { RawClient } from "../../testing/raw-client.ts";
import { createServerFactory } from "./connections.ts";

it("a closing server ends idle connections, even ones that never had a request, and lets requests finish", async () => {
  let begin: (reply: ServerResponse) => void = () => {};
  const begun = new Promise<ServerResponse>((resolve) => {
    begin = resolve;
  });
  const createServer = createServerFactory({ render: () => "", stalledMs: 60_000 });
  const server = createServer(({ url }, reply) => (url === "/slow" ? begin(reply) : reply.end("done")));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const [unused, idle, busy] = [await RawClient.open(port), await RawClient.open(port), await RawClient.open(port)];
  idle.send("GET / HTTP/1.1\r\nHost: msgd\r\n\r\n");
  await idle.read(1);
  busy.send("GET /slow HTTP/1.1\r\nHost: msgd\r\nConnection: close\r\n\r\n");
  const reply = await begun;
  const closed = once(server, "close");
  server.close();
  expect(await unused.readToEnd()).toEqual([]);
  expect(await idle.readToEnd()).toHaveLength(1);
  reply.end("at last");
  expect((await busy.readToEnd()).map(({ body }) => body)).toEqual(["at last"]);
  for (const { socket } of [unused, idle, busy]) socket.destroy();
  await closed;
});
