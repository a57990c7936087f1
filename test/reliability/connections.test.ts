// Clients that hold idle or slow connections do not affect other clients, and no connection stays open forever.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Credential, MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";

const folder = new MsgdFolder();
let credential: Credential;
let server: MsgdProcess;
let sockets: Socket[] = [];

beforeAll(async () => {
  credential = folder.createTenant();
  server = await folder.serve("--log-level", "fatal");
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
});
afterAll(() => folder.remove());

/** The goal's number of connections, or fewer if this process or the server may not open so many files. */
function countConnections(): number {
  if (process.platform === "win32") return 1_000;
  const limit = execFileSync("/bin/sh", ["-c", "ulimit -n"]).toString().trim();
  const files = limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
  return Math.max(500, Math.min(10_000, files - 200));
}

async function open(): Promise<Socket> {
  const { hostname, port } = new URL(server.baseUrl);
  const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding("latin1");
  socket.on("error", () => {});
  sockets.push(socket);
  await once(socket, "connect");
  return socket;
}

/** Opens many connections, in groups, because a listener's queue is short. */
async function openMany(count: number): Promise<Socket[]> {
  const opened: Socket[] = [];
  while (opened.length < count) {
    opened.push(...(await Promise.all(Array.from({ length: Math.min(200, count - opened.length) }, open))));
  }
  return opened;
}

/** Sends several reads in a row, as other clients do. */
async function readOften(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await read();
}

async function read(): Promise<void> {
  const { apiKey, apiSecret } = credential;
  const reply = await fetch(`${server.baseUrl}/api/v1/merchants`, {
    headers: { "x-api-key": apiKey, "x-api-secret": apiSecret },
  });
  await reply.text();
  expect(reply.status).toBe(200);
}

describe("idle connections", () => {
  const count = countConnections();

  it(`of ${count} clients delay neither a request nor the shutdown of the server`, async () => {
    await openMany(count);
    await readOften();
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([]);
    // the exit code is 1 if the shutdown had to be cut short
    expect(await server.end("SIGTERM")).toBe(0);
    server = await folder.serve("--log-level", "fatal");
  });
});

describe("requests that trickle in", () => {
  const post = "POST /api/v1/messages/sms HTTP/1.1\r\nHost: msgd\r\nContent-Type: application/json\r\n";

  /** Sends `beginning`, then a byte per second until the server closes the connection. Returns the server's answer. */
  async function trickle(beginning: string): Promise<string> {
    const socket = await open();
    let reply = "";
    socket.on("data", (chunk) => {
      reply += chunk;
    });
    socket.write(beginning);
    const timer = setInterval(() => socket.write("x"), 1_000);
    await once(socket, "close");
    clearInterval(timer);
    return reply;
  }

  it("are refused at their time limit, both headers and bodies, and delay no other request", async () => {
    const { apiKey, apiSecret } = credential;
    const credentials = `X-API-KEY: ${apiKey}\r\nX-API-SECRET: ${apiSecret}\r\n`;
    let ended = 0;
    const slow = [
      ...Array.from({ length: 50 }, () => trickle(`${post}X-Slow: `)),
      ...Array.from({ length: 50 }, () => trickle(`${post}${credentials}Content-Length: 1000\r\n\r\n{"`)),
    ];
    for (const one of slow) {
      one.then(() => {
        ended += 1;
      });
    }
    await read();
    expect(ended).toBe(0);
    await readOften();
    const replies = await Promise.all(slow);
    for (const reply of replies) expect(reply).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
    await read();
  });
});
