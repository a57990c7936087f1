import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { unsignedDelivery } from "../../testing/callbacks.ts";
import { createForward } from "./forward.ts";

describe("a handler", () => {
  async function start(answer: Parameters<typeof createServer>[1]): Promise<URL> {
    const server = createServer(answer);
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }
  const never = new AbortController().signal;

  it("that never answers is reported after the timeout", async () => {
    const url = await start(() => {});
    const handled = await createForward(url, { timeoutMs: 30, signal: never })(unsignedDelivery("{}"));
    expect(handled).toMatchObject({ status: null, error: "no response within 0.03 s" });
  });

  it("is cut off when msgctl ends", async () => {
    const cut = new AbortController();
    const url = await start(() => cut.abort());
    const handled = await createForward(url, { timeoutMs: 10_000, signal: cut.signal })(unsignedDelivery("{}"));
    expect(handled).toMatchObject({ status: null, error: "cut off, because msgctl exited" });
  });

  it("that never ends its response body counts as having answered", async () => {
    const url = await start((_, response) => void response.writeHead(202).write("..."));
    expect(await createForward(url, { timeoutMs: 10_000, signal: never })(unsignedDelivery("{}"))).toMatchObject({
      status: 202,
    });
  });

  it("that closes the connection, or redirects, is reported unchanged", async () => {
    const closing = await start((request) => request.destroy());
    expect((await createForward(closing, { timeoutMs: 10_000, signal: never })(unsignedDelivery("{}"))).error).toBe(
      "it closed the connection without a response",
    );
    const moved = await start((_, response) => response.writeHead(302, { location: "http://other.example" }).end());
    expect((await createForward(moved, { timeoutMs: 10_000, signal: never })(unsignedDelivery("{}"))).status).toBe(302);
  });
});
