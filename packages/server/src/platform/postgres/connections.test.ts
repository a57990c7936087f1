import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import pg from "pg";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Connections } from "./connections.ts";
import { isLost } from "./failures.ts";
import { WAIT_MS } from "./limits.ts";

/** A message of the protocol: its type, its length, and its body. */
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
/** Answers a new connection at once, and its first query when `mayAnswer` resolves. */
let greeting: readonly Buffer[];
let answer: readonly Buffer[];
let mayAnswer: Promise<void>;
beforeEach(async () => {
  server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(Buffer.concat(greeting));
      socket.once("data", async () => {
        server.emit("asked");
        await mayAnswer;
        socket.write(Buffer.concat(answer));
      });
    });
  });
  mayAnswer = Promise.resolve();
  answer = [message("C", Buffer.from("SELECT 0\0")), ready];
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterEach(() => {
  vi.useRealTimers();
  server.close();
});

function connectTo(parameters = ""): Connections {
  const { port } = server.address() as AddressInfo;
  return new Connections(pg, {
    url: `postgres://user:word@127.0.0.1:${port}/name${parameters}`,
    most: 1,
    answerMs: 1_000,
  });
}

it.each(["", "?target_session_attrs=read-write"])(
  "opens another connection if one ends as soon as it is open, with %j",
  async (parameters) => {
    greeting = [authenticated, ready, terminated];
    const connections = connectTo(parameters);
    const use = async () => {
      const session = await connections.take();
      try {
        await session.ask("SELECT 1");
      } finally {
        connections.release(session, true);
      }
    };
    await expect(use()).rejects.toThrow();
    await expect(use()).rejects.toThrow();
    await connections.close();
  },
);

it("ends a connection that does not answer, and rejects all its statements", async () => {
  greeting = [authenticated, ready];
  const connections = connectTo();
  const session = await connections.take();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answers = [session.ask("BEGIN"), session.ask("SELECT 1")].map((answer) =>
    answer.then(
      () => false,
      (error: unknown) => isLost(error),
    ),
  );
  await new Promise<void>((resolve) => process.nextTick(resolve));
  vi.advanceTimersToNextTimer();
  expect(await Promise.all(answers)).toEqual([true, true]);
  vi.useRealTimers();
  connections.release(session, true);
  await connections.close();
});

it("closes a connection that it has ended if the server does not close it", async () => {
  greeting = [authenticated, ready];
  const connections = connectTo();
  const accepted = once(server, "connection");
  const session = await connections.take();
  const [socket] = (await accepted) as [Socket];
  socket.allowHalfOpen = true;
  const ended = once(socket, "end");
  connections.release(session, false);
  await connections.close();
  await ended;
  // the server's writes to the socket fail once the connection is closed
  const refused = new Promise((resolve) => socket.once("error", resolve));
  const writing = setInterval(() => socket.write(ready), 20);
  await refused;
  clearInterval(writing);
});

it("lends a connection to the next caller if the first gave up while the connection was prepared", async () => {
  greeting = [authenticated, ready];
  const connections = connectTo();
  const first = await connections.take();
  let goOn = () => {};
  mayAnswer = new Promise((resolve) => {
    goOn = resolve;
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const given = expect(connections.take()).rejects.toThrow("timeout exceeded");
  // the query that prepares a connection is sent later, and has the same time limit as the caller's wait
  vi.advanceTimersByTime(WAIT_MS / 2);
  const asked = once(server, "asked");
  connections.release(first, true);
  await asked;
  vi.advanceTimersByTime(WAIT_MS / 2);
  await given;
  vi.useRealTimers();
  goOn();
  const second = await connections.take();
  connections.release(second, false);
  await connections.close();
});
