import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../platform/clock.ts";
import { makeSelfSignedCertificate } from "../testing/self-signed-certificate.ts";
import { ApiClient, NotSent } from "./api-client.ts";

/** A server that answers as soon as a connection is open. */
let server: Server;
let received = "";
let client: ApiClient;
beforeEach(async () => {
  received = "";
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.write("HTTP/1.1 408 Request Time-out\r\ncontent-length: 0\r\n\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  client = new ApiClient(`http://127.0.0.1:${port}`, { connections: 1, clock: systemClock });
});
afterEach(async () => {
  client.close();
  await new Promise((resolve) => server.close(resolve));
});

it("takes no answer that comes before the request, and does not send the request then", async () => {
  let record: () => void = () => {};
  const recorded = new Promise<void>((resolve) => (record = resolve));
  const closed = new Promise((resolve) => server.once("connection", (socket) => socket.once("close", resolve)));
  const request = { method: "POST", path: "/messages", headers: {}, body: "hello", timeoutMs: 5_000 } as const;
  await expect(client.send({ ...request, beforeBody: () => recorded })).rejects.toThrow(NotSent);
  record();
  await closed;
  expect(received).toBe("");
});

describe.each(["http", "https"] as const)("requests over %s that wait for a connection", (protocol) => {
  let answering: Server;
  let asked: number;
  let waiting: ApiClient;
  beforeEach(async () => {
    asked = 0;
    const answer: RequestListener = (request, response) => {
      asked += 1;
      request.resume().once("end", () => (request.url === "/cut" ? response.destroy() : response.end("{}")));
    };
    answering = protocol === "http" ? createHttpServer(answer) : createHttpsServer(makeSelfSignedCertificate(), answer);
    await new Promise<void>((resolve) => answering.listen(0, "127.0.0.1", resolve));
    const { port } = answering.address() as AddressInfo;
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    waiting = new ApiClient(`${protocol}://127.0.0.1:${port}`, { connections: 2, clock: systemClock });
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    waiting.close();
    await new Promise((resolve) => answering.close(resolve));
  });
  const send = (path: string) =>
    waiting.send({ method: "POST", path, headers: {}, body: "hello", timeoutMs: 60_000, beforeBody: async () => {} });

  it("are sent on one that another request leaves", async () => {
    const sent = await Promise.all(Array.from({ length: 7 }, () => send("/messages")));
    expect(sent.map(({ status }) => status)).toEqual(Array(7).fill(200));
    expect(asked).toBe(7);
  });

  it("are sent after one that another request lost", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        send(index % 2 === 0 ? "/cut" : "/messages").then(
          ({ status }) => status,
          (error: unknown) => (error instanceof NotSent ? "not sent" : "in doubt"),
        ),
      ),
    );
    expect(outcomes).toEqual(Array.from({ length: 20 }, (_none, index) => (index % 2 === 0 ? "in doubt" : 200)));
  });
});
