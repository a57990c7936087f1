import { type AddressInfo, createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../platform/clock.ts";
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
