import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useFakeTimers, useRealTimers } from "../../testing/fake-timers.ts";
import { nextReply } from "../../testing/receivers.ts";
import { createPoster, type Poster, type PostResult } from "./post.ts";

const toClose: (() => void)[] = [];
afterEach(() => {
  useRealTimers();
  for (const close of toClose.splice(0)) close();
});

/** Starts a server that runs `talk` when a request has arrived. */
async function talker(talk: (socket: Socket) => void): Promise<{ url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => talk(socket));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  toClose.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

function poster(timeoutMs: number): Poster {
  const made = createPoster({ reach: "private", timeoutMs });
  toClose.push(() => made.close());
  return made;
}

const post = (url: string, timeoutMs: number): Promise<PostResult> =>
  poster(timeoutMs).post({ url, headers: {}, body: "{}" });

/** Writes `text` repeatedly as fast as the client reads it. */
function flood(socket: Socket, text: string): void {
  const block = text.repeat(Math.ceil(65_536 / text.length));
  const more = () => {
    while (!socket.destroyed && socket.write(block)) {}
  };
  socket.on("drain", more);
  more();
}

/** Writes `text` repeatedly, every 20 ms. */
function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  toClose.push(() => clearInterval(timer));
}

/** A timeout so long that only the size limit can have ended the reply. */
const foreverMs = 600_000;

describe("an endless reply", () => {
  it.each([
    ["of interim replies", "HTTP/1.1 102 Processing\r\n\r\n", "", "TOO_MANY_INTERIM"],
    ["of interim replies with headers", "HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n", "", "TOO_MANY_INTERIM"],
    ["of headers", "HTTP/1.1 200 OK\r\n", "x-more: 1\r\n", "HPE_HEADER_OVERFLOW"],
    ["in one header", "HTTP/1.1 200 OK\r\nx-long: ", "x", "HPE_HEADER_OVERFLOW"],
    ["in a header's name", "HTTP/1.1 200 OK\r\n", "x", "HPE_HEADER_OVERFLOW"],
    ["in the status line", "HTTP/1.1 200 ", "O", "HPE_HEADER_OVERFLOW"],
  ])("%s is cut off", async (_what, start, more, outcome) => {
    const { url } = await talker((socket) => {
      socket.write(start);
      flood(socket, more === "" ? start : more);
    });
    expect(await post(url, foreverMs)).toEqual({ status: undefined, outcome });
  });

  const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
  it.each([
    ["in its body", "HTTP/1.1 200 OK\r\n\r\n", "x"],
    ["with a huge Content-Length", "HTTP/1.1 200 OK\r\ncontent-length: 9007199254740991\r\n\r\n", "x"],
    ["in chunks", chunked, "1\r\nx\r\n"],
    ["in a chunk's extension", `${chunked}1;x=`, "x"],
    ["in a trailer", `${chunked}0\r\nx-trailer: `, "x"],
    ["of trailers", `${chunked}0\r\n`, "x-trailer: 1\r\n"],
  ])("%s is cut off, and its status counts", async (_what, start, more) => {
    const { url } = await talker((socket) => {
      socket.write(start);
      flood(socket, more);
    });
    expect(await post(url, foreverMs)).toMatchObject({ status: 200, outcome: "200" });
  });
});

describe("a slow reply", () => {
  it.each([
    ["its status line", "", "H"],
    ["its headers", "HTTP/1.1 200 OK\r\n", "x: 1\r\n"],
    ["interim replies", "", "HTTP/1.1 102 Processing\r\n\r\n"],
  ])("times out as usual during %s", async (_what, start, more) => {
    const { url } = await talker((socket) => {
      socket.write(start);
      drip(socket, more);
    });
    expect(await post(url, 100)).toEqual({ status: undefined, outcome: expect.stringMatching(/timeout|^HPE_/) });
  });

  it.each([
    ["its body", "HTTP/1.1 200 OK\r\n\r\n", "x"],
    ["its trailers", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", "x: 1\r\n"],
  ])("times out as usual during %s, and its status counts", async (_what, start, more) => {
    const { url } = await talker((socket) => {
      socket.write(start);
      drip(socket, more);
    });
    useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const replied = nextReply();
    const posted = post(url, foreverMs);
    await replied;
    vi.advanceTimersByTime(foreverMs);
    expect(await posted).toMatchObject({ status: 200 });
  });
});

describe("an invalid reply", () => {
  it.each([
    ["a switch to another protocol", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"],
    ["an unrequested switch to another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    ["an unknown HTTP version", "HTTP/9.9 200 OK\r\n\r\n"],
    ["contradictory lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n"],
  ])("ends the attempt: %s", async (_what, text) => {
    const { url } = await talker((socket) => socket.end(text));
    expect([undefined, 101]).toContain((await post(url, foreverMs)).status);
  });
});
