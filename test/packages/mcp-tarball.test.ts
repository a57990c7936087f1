// Tests @msgctl/mcp as npm would publish it: unpacked, without any dependency, driven by the lines of its protocol.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { publint } from "publint";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Credential, MsgdFolder } from "../e2e/msgd-process.ts";
import { packMcp } from "./packed.ts";

const { folder, files, tarball } = packMcp();
const program = join(folder, "bin/msgctl-mcp.js");

const world = new MsgdFolder();
let env: Record<string, string>;
let credential: Credential;

beforeAll(async () => {
  const { baseUrl } = await world.shareDemo();
  credential = world.demoCredential;
  env = { MSGCTL_BASE_URL: baseUrl, MSGCTL_API_KEY: credential.apiKey, MSGCTL_API_SECRET: credential.apiSecret };
});
afterAll(() => world.remove());

type Message = Record<string, unknown> & {
  id?: number;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
  params?: Record<string, unknown>;
};

/** One run of the program, as a client starts it. */
class Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly received: Message[] = [];
  /** The exit code, once all output has been read, which may be after the exit. */
  readonly ended: Promise<number | null>;
  stderr = "";
  #next = 1;
  #waiting: (() => void)[] = [];

  constructor(args: readonly string[] = [], environment: Record<string, string> = env) {
    this.child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: world.parent, ...environment },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.ended = new Promise((resolve) => this.child.once("close", resolve));
    this.child.stderr.on("data", (chunk: Buffer) => {
      this.stderr += String(chunk);
      this.#wake();
    });
    createInterface(this.child.stdout).on("line", (line) => {
      this.received.push(JSON.parse(line));
      this.#wake();
    });
    started.push(this);
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Waits for the first message, or text on standard error, that matches. */
  async find<Found>(read: () => Found | undefined): Promise<Found> {
    for (;;) {
      const found = read();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  send(message: object): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async request(method: string, params: object = {}): Promise<Message> {
    const id = this.#next++;
    this.send({ id, method, params });
    return this.find(() => this.received.find((message) => message.id === id && message.method === undefined));
  }

  async initialize(capabilities: object = {}): Promise<Message> {
    const reply = await this.request("initialize", { ...HANDSHAKE, capabilities });
    this.send({ method: "notifications/initialized" });
    return reply;
  }

  call(name: string, args: object = {}, meta: object = {}): Promise<Message> {
    return this.request("tools/call", { name, arguments: args, ...meta });
  }

  /** Ends its input, and waits until it has ended and all of its output has been read. */
  async end(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.stdin.end();
    return this.ended;
  }
}

const HANDSHAKE = { protocolVersion: "2025-06-18", clientInfo: { name: "test", version: "1" } };
const SMS = { merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" };

const started: Running[] = [];
afterEach(async () => {
  for (const running of started.splice(0)) await running.end();
});

describe("the package", () => {
  it("is whole, valid, and smaller than 1 MB with all that it bundles", async () => {
    expect(files).toEqual(
      expect.arrayContaining(["README.md", "dist/THIRD-PARTY-LICENSES.txt", "dist/docs/send/sms.md"]),
    );
    expect(files.filter((file) => !/^(?:bin|dist)\/|^(?:README\.md|package\.json|LICENSE)$/.test(file))).toEqual([]);
    const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    expect(bytes).toBeLessThan(1_000_000);
    expect(statSync(tarball).size).toBeLessThan(300_000);
    const { messages } = await publint({ pkgDir: folder });
    expect(messages).toEqual([]);
  });

  it("prints its help and its version, and refuses a wrong line", async () => {
    const codes = [];
    for (const args of [["--help"], ["--version"], ["--pigeon"]]) {
      const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
      const [code] = await once(child, "close");
      codes.push(code);
    }
    expect(codes).toEqual([0, 0, 2]);
  });
});

describe("the protocol", () => {
  it("begins with a handshake, and offers tools, resources and prompts", async () => {
    const running = new Running();
    const { result } = await running.initialize();
    expect(result).toMatchObject({ protocolVersion: "2025-06-18", serverInfo: { name: "msgctl", version: "0.1.0" } });
    expect(Object.keys(result?.capabilities as object).sort()).toEqual(["prompts", "resources", "tools"]);
    const lists = await Promise.all(
      ["tools/list", "resources/list", "prompts/list"].map((method) => running.request(method)),
    );
    const [tools, resources, prompts] = lists.map((list) => Object.values(list.result ?? {})[0] as unknown[]);
    expect(tools?.length).toBeGreaterThan(10);
    expect(resources?.length).toBeGreaterThan(80);
    expect(prompts).toHaveLength(3);
    for (const uri of ["send/sms", "errors/quota_exceeded", "how-to/what-happened"]) {
      const read = await running.request("resources/read", { uri: `msgctl://docs/${uri}` });
      expect(JSON.stringify(read.result)).toContain("text/markdown");
    }
    expect(await running.end()).toBe(0);
  });

  it("answers an older client in its version, and a newer one without a handshake", async () => {
    const older = new Running();
    const { result } = await older.request("initialize", {
      ...HANDSHAKE,
      protocolVersion: "2024-11-05",
      capabilities: {},
    });
    expect(result?.protocolVersion).toBe("2024-11-05");
    const newer = new Running();
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": HANDSHAKE.clientInfo,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const listed = await newer.request("tools/list", { _meta: envelope });
    expect(JSON.stringify(listed.result)).toContain("merchants_list");
  });

  it("has its own errors for what is not a request of it", async () => {
    const running = new Running();
    await running.initialize();
    expect((await running.request("pigeons/list")).error?.code).toBe(-32601);
    expect((await running.call("send_pigeon")).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining("send_pigeon"),
    });
    expect((await running.request("tools/call", {})).error?.code).toBe(-32602);
    running.child.stdin.write("this is not JSON\n");
    expect((await running.request("ping")).result).toEqual({});
  });

  it("ends, and says why, if a line is too long or nobody reads the replies", async () => {
    const long = new Running();
    await long.initialize();
    long.child.stdin.on("error", () => {}).write("x".repeat(11 * 2 ** 20));
    const unread = new Running();
    await unread.initialize();
    unread.child.stdout.destroy();
    unread.send({ id: 99, method: "ping" });
    expect(await Promise.all([long.ended, unread.ended])).toEqual([1, 1]);
    expect(long.stderr).toContain("more than 10 MiB");
  });

  it("cancels a call, for which nothing is answered", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const gone = new Promise((resolve) => silent.on("connection", (socket) => socket.on("close", resolve)));
    const { port } = silent.address() as AddressInfo;
    const running = new Running([], { ...env, MSGCTL_BASE_URL: `http://127.0.0.1:${port}` });
    await running.initialize();
    running.send({ id: 99, method: "tools/call", params: { name: "merchants_list", arguments: {} } });
    await once(silent, "request");
    running.send({ method: "notifications/cancelled", params: { requestId: 99, reason: "enough" } });
    await gone;
    expect((await running.request("ping")).result).toEqual({});
    expect(running.received.filter(({ id }) => id === 99)).toEqual([]);
    silent.closeAllConnections();
    silent.close();
  });

  it("tells a client that wants it how a call gets on", async () => {
    let requests = 0;
    const service = createServer((_, reply) => {
      requests += 1;
      if (requests === 1) reply.writeHead(503, { "Retry-After": "0" }).end();
      else reply.writeHead(200, { "Content-Type": "application/json" }).end("[]");
    }).listen(0, "127.0.0.1");
    await once(service, "listening");
    const { port } = service.address() as AddressInfo;
    const running = new Running([], { ...env, MSGCTL_BASE_URL: `http://127.0.0.1:${port}` });
    await running.initialize();
    const reply = await running.call("merchants_list", {}, { _meta: { progressToken: "p" } });
    expect(reply.result?.structuredContent).toEqual({ items: [], total: 0 });
    const [progress] = running.received.filter(({ method }) => method === "notifications/progress");
    expect(progress?.params).toMatchObject({
      progressToken: "p",
      progress: 1,
      message: expect.stringContaining("status 503"),
    });
    service.close();
  });
});

it("a person is asked over the protocol, and the message goes out once", async () => {
  const running = new Running(["--allow", "send", "--allow-billable"]);
  await running.initialize({ elicitation: {} });
  const sending = running.call("send_sms", SMS);
  const question = await running.find(() => running.received.find(({ method }) => method === "elicitation/create"));
  expect(question.params?.message).toContain("to: +12025550100");
  running.send({ id: question.id, result: { action: "accept", content: { confirm: true } } });
  const first = (await sending).result;
  const second = (await running.call("send_sms", SMS)).result;
  expect(first?.structuredContent).toMatchObject({ status: "QUEUED", messageId: expect.any(String) });
  expect(second?.structuredContent).toMatchObject({
    messageId: Reflect.get(Object(first?.structuredContent), "messageId"),
  });
  expect(JSON.stringify(second?.content)).toContain("already made");
});

it("a request from a pipe is answered, although its input ends at once", async () => {
  const running = new Running();
  running.send({ id: 1, method: "tools/call", params: { name: "merchants_get", arguments: { merchantId: "demo" } } });
  expect(await running.end()).toBe(0);
  expect(running.received[0]?.result?.structuredContent).toMatchObject({ merchantId: "demo" });
});

it("without a credential it starts, and every call says what to do", async () => {
  const running = new Running([], {});
  await running.initialize();
  const { result } = await running.call("merchants_list");
  expect(JSON.stringify(result)).toContain("no credential is configured");
  expect(running.stderr).toContain("msgctl-mcp: no credential is configured");
});

it("neither credential is in anything that it writes", async () => {
  const running = new Running(["--allow", "all", "--allow-billable", "--yes", "--show-contacts"]);
  await running.initialize();
  await running.call("merchants_list");
  await running.call("send_sms", { ...SMS, merchantId: "nobody" });
  const written = JSON.stringify(running.received) + running.stderr;
  expect(written).not.toContain(credential.apiSecret);
  expect(written).not.toContain(credential.apiKey);
});

it("a token that no header can carry is refused", async () => {
  const running = new Running(["--http", "0"], { ...env, MSGCTL_MCP_TOKEN: "é ".repeat(20) });
  const code = await running.ended;
  expect([code, running.stderr]).toEqual([2, expect.stringContaining("printable ASCII characters without spaces")]);
});

it("over HTTP it serves clients that send the printed token, until a signal stops it", async () => {
  const running = new Running(["--http", "0"]);
  const [, url = "", token = ""] = await running.find(
    () => /listening on (\S+)\n.*Bearer (\S+)\n/.exec(running.stderr) ?? undefined,
  );
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }) as never);
  expect((await client.callTool({ name: "merchants_list", arguments: {} })).isError).not.toBe(true);
  await client.close();
  running.child.kill("SIGTERM");
  expect(await running.ended).toBe(process.platform === "win32" ? null : 0);
});
