// Prism as a child process: it starts or reports why it cannot, and never outlives its parent.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startPrismMock, startPrismProxy } from "./prism.ts";

const document = fileURLToPath(new URL("../../../openapi.yaml", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "prism-"));
/** A small document, which is read quickly, for tests that do not depend on its contents. */
const smallDocument = join(folder, "small.json");
writeFileSync(
  smallDocument,
  JSON.stringify({
    ...{ openapi: "3.1.0", info: { title: "Small", version: "1" } },
    paths: { "/": { get: { responses: { 204: { description: "Nothing" } } } } },
  }),
);
afterAll(() => rmSync(folder, { recursive: true }));
const credentials = { "X-API-KEY": "mkt_test_example", "X-API-SECRET": "mks_example" };

/** Whether anything listens there. */
function isServed(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.destroy();
      resolve(true);
    }).on("error", () => resolve(false));
  });
}

describe("a mock", () => {
  it("serves the contract's examples on loopback until it is stopped", async () => {
    const prism = await startPrismMock({ document });
    expect(prism.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const reply = await fetch(`${prism.url}/api/v1/merchants`, { headers: credentials });
    expect(reply.status).toBe(200);
    await prism.stop();
    await prism.stop();
    expect(await isServed(prism.url)).toBe(false);
  });

  it("says what to install if Prism is missing", async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "without-prism-"));
    try {
      cpSync(new URL("prism.ts", import.meta.url), join(elsewhere, "prism.ts"));
      const { startPrismMock: start } = await import(join(elsewhere, "prism.ts"));
      await expect(start({ document })).rejects.toThrow(/Run: npm install --save-dev @stoplight\/prism-cli$/);
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });

  it("refuses a document that does not exist", async () => {
    await expect(startPrismMock({ document: "nowhere.yaml" })).rejects.toThrow("There is no document at nowhere.yaml.");
  });

  it("ends when the process that started it is killed", async () => {
    const program = `
      import { startPrismMock } from ${JSON.stringify(new URL("prism.ts", import.meta.url))};
      console.log((await startPrismMock({ document: ${JSON.stringify(smallDocument)} })).url);
      setInterval(() => {}, 1e6);`;
    const parent = spawn(process.execPath, ["--import", "tsx", "--input-type", "module", "-e", program]);
    const [url] = await once(createInterface({ input: parent.stdout }), "line");
    expect(await isServed(url)).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(async () => expect(await isServed(url)).toBe(false), { timeout: 60_000 });
  });

  it("does not keep its parent process running, even if the parent never stops it", async () => {
    const program = `
      import { startPrismMock } from ${JSON.stringify(new URL("prism.ts", import.meta.url))};
      console.log((await startPrismMock({ document: ${JSON.stringify(smallDocument)} })).url);`;
    const parent = spawn(process.execPath, ["--import", "tsx", "--input-type", "module", "-e", program]);
    const [[url], [code]] = await Promise.all([
      once(createInterface({ input: parent.stdout }), "line"),
      once(parent, "exit"),
    ]);
    expect(code).toBe(0);
    await vi.waitFor(async () => expect(await isServed(url)).toBe(false), { timeout: 60_000 });
  });
});

describe("a proxy", () => {
  let upstream: Server;
  let reply: { status: number; body: unknown };
  let url: string;

  beforeAll(async () => {
    upstream = createServer((_request, response) => {
      response.writeHead(reply.status, { "content-type": "application/json", "x-request-id": "req_1" });
      response.end(JSON.stringify(reply.body));
    });
    await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  });
  afterAll(() => upstream.close());

  it("passes on a reply that matches the contract, and refuses a reply that does not", async () => {
    const prism = await startPrismProxy({ upstream: url, document });
    try {
      reply = { status: 200, body: [] };
      const rightly = await fetch(`${prism.url}/api/v1/merchants`, { headers: credentials });
      expect([rightly.status, await rightly.json()]).toEqual([200, []]);
      reply = { status: 200, body: [{ merchantId: 12 }] };
      const wrongly = await fetch(`${prism.url}/api/v1/merchants`, { headers: credentials });
      expect(wrongly.status).toBe(500);
      expect(await wrongly.json()).toMatchObject({ type: "https://stoplight.io/prism/errors#VIOLATIONS" });
    } finally {
      await prism.stop();
    }
  });

  it("reports that its port is taken", async () => {
    const port = Number(new URL(url).port);
    await expect(startPrismProxy({ upstream: url, document: smallDocument, port })).rejects.toThrow(/EADDRINUSE/);
  });

  it("refuses an upstream that is not an address", async () => {
    await expect(startPrismProxy({ upstream: "localhost", document })).rejects.toThrow(/upstream must be the address/);
  });
});
