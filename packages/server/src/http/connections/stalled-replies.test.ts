import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createServerFactory } from "./connections.ts";

/** More bytes than the buffers at both ends of a socket hold. */
const large = "x".repeat(4 * 1024 * 1024);

/** Longer than any test. */
const NEVER_MS = 600_000;

let folder: string;
/** One server for each address of a name, as Fastify opens them. */
let servers: Server[];
let answer: (reply: ServerResponse) => void;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "msgd-stalled-"));
});
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  rmSync(folder, { recursive: true });
});

async function listen(stalledMs: number): Promise<void> {
  const createServer = createServerFactory({ render: () => "", stalledMs });
  servers = [0, 1].map(() => createServer((_request, reply) => answer(reply)));
  await Promise.all(servers.map((server, index) => once(server.listen(join(folder, `${index}`)), "listening")));
}

function ask(index = 0, agent: Agent | false = false): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ socketPath: join(folder, `${index}`), agent }, resolve)
      .on("error", reject)
      .end();
  });
}

function serverAt(index: number): Server {
  const server = servers[index];
  if (server === undefined) throw new Error(`there is no server ${index}`);
  return server;
}

it.each([0, 1])("ends the connection of a reply that is not read, at address %i of a name", async (index) => {
  await listen(50);
  answer = (reply) => reply.end(large);
  const connected = once(serverAt(index), "connection") as Promise<[Socket]>;
  const reply = await ask(index);
  const [socket] = await connected;
  await once(socket, "close");
  await expect(text(reply)).rejects.toThrow("aborted");
});

it("does not end a reply whose next part is not ready yet", async () => {
  await listen(NEVER_MS);
  const watched = new Promise<ServerResponse>((resolve) => {
    answer = (reply) => {
      // the client reads everything although the reply had stalled before
      reply.write(large, () => {
        reply.socket?.setTimeout(NEVER_MS);
        resolve(reply);
      });
    };
  });
  const received = text(await ask());
  const reply = await watched;
  // as Node does when the timeout expires
  serverAt(0).emit("timeout", reply.socket);
  expect(reply.socket?.destroyed).toBe(false);
  reply.end("the end");
  expect((await received).length).toBe(large.length + "the end".length);
});

it("leaves idle connections to Node's timeout", async () => {
  await listen(NEVER_MS);
  serverAt(0).keepAliveTimeout = 20;
  answer = (reply) => reply.end("done");
  const connected = once(serverAt(0), "connection") as Promise<[Socket]>;
  const agent = new Agent({ keepAlive: true });
  expect(await text(await ask(0, agent))).toBe("done");
  const [socket] = await connected;
  await once(socket, "close");
  agent.destroy();
});
