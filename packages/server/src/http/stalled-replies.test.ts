import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { endStalledReplies } from "./stalled-replies.ts";

/** Longer than this process is ever kept from its loop. */
const STALLED_MS = 500;
/** More than both ends of a socket hold. */
const large = "x".repeat(4 * 1024 * 1024);

let folder: string;
let server: Server;
let answer: (reply: ServerResponse) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "msgd-stalled-"));
  server = createServer((_request, reply) => answer(reply));
  endStalledReplies(server, STALLED_MS);
  server.listen(join(folder, "socket"));
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

function ask(agent: Agent | false = false): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ socketPath: join(folder, "socket"), agent }, resolve)
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
    // all of it is taken, while it is watched as a reply that was not
    reply.write(large, () => reply.socket?.setTimeout(STALLED_MS));
    finish = () => reply.end("the end");
  };
  const timedOut = once(server, "timeout") as Promise<[Socket]>;
  const received = text(await ask());
  const [socket] = await timedOut;
  expect(socket.destroyed).toBe(false);
  finish();
  expect((await received).length).toBe(large.length + "the end".length);
});

it("leaves the end of an idle connection to the time that Node keeps it", async () => {
  server.keepAliveTimeout = 20;
  answer = (reply) => reply.end("done");
  const connected = once(server, "connection") as Promise<[Socket]>;
  const agent = new Agent({ keepAlive: true });
  expect(await text(await ask(agent))).toBe("done");
  const [socket] = await connected;
  await once(socket, "close");
  agent.destroy();
});
