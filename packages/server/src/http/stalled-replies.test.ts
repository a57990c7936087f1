import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endStalledReplies } from "./stalled-replies.ts";

/** More than both ends of a socket hold. */
const large = "x".repeat(4 * 1024 * 1024);

let folder: string;
let server: Server;
let answer: (reply: ServerResponse) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-stalled-"));
  server = createServer((_request, reply) => answer(reply));
  endStalledReplies(server, 50);
  server.listen(join(folder, "socket"));
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function ask(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ socketPath: join(folder, "socket"), agent: false }, resolve)
      .on("error", reject)
      .end();
  });
}

it("ends the connection of a reply that nobody takes", async () => {
  answer = (reply) => reply.end(large);
  const connected = once(server, "connection") as Promise<[Socket]>;
  const reply = await ask();
  const [socket] = await connected;
  await once(socket, "close");
  await expect(text(reply)).rejects.toThrow("aborted");
});

it("leaves a reply alone whose next part is not there yet", async () => {
  let finish = () => {};
  answer = (reply) => {
    reply.write(large);
    finish = () => reply.end("the end");
  };
  // Node tells of a connection on which nothing happened
  const timedOut = once(server, "timeout");
  const reply = await ask();
  let received = 0;
  reply.on("data", (part: Buffer) => {
    received += part.length;
  });
  // only a connection that had something unsent is watched
  const [socket] = (await Promise.race([timedOut, once(reply, "close")])) as [Socket];
  expect([socket.destroyed, received]).toEqual([false, large.length]);
  finish();
  await once(reply, "end");
  expect(received).toBe(large.length + "the end".length);
});
