import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Connections } from "./connections.ts";

/** A message of the protocol: its type, its length, and what it says. */
function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const authenticated = message("R", Buffer.alloc(4));
const ready = message("Z", Buffer.from("I"));
const terminated = message(
  "E",
  Buffer.from("SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0"),
);

let server: Server;
beforeEach(async () => {
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.concat([authenticated, ready, terminated])));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(() => {
  server.close();
});

it.each(["", "?target_session_attrs=read-write"])(
  "hears of a connection that ends as soon as it is made, with %j, and goes on",
  async (parameters) => {
    const url = `postgres://user:word@127.0.0.1:${(server.address() as AddressInfo).port}/name${parameters}`;
    const connections = new Connections(pg, { url, most: 1 });
    const use = async () => {
      const client = await connections.take();
      try {
        await client.query("SELECT 1");
      } finally {
        connections.release(client, true);
      }
    };
    await expect(use()).rejects.toThrow();
    await expect(use()).rejects.toThrow();
    await connections.close();
  },
);
