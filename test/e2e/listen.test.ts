// The built `msgctl listen`, to which a real msgd and attackers post callbacks.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { MessagingClient, parseJson } from "@msgctl/sdk";
import { type SignedWebhook, signWebhook, verifyWebhook } from "@msgctl/sdk/webhooks";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { cleanEnvironment, msgctlPath, runMsgctl } from "./msgctl-process.ts";
import { type Credential, MsgdFolder, type SharedServer } from "./msgd-process.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const SOON = 60_000;
const folder = new MsgdFolder();
afterAll(() => folder.remove());

/** A `msgctl listen` on a free port. It is killed at the end of the test if it still runs. */
class Listener {
  stdout = "";
  stderr = "";
  url = "";
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;

  private constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [msgctlPath, "listen", "--port", "0", ...args], {
      cwd: folder.parent,
      env: { ...cleanEnvironment(folder.parent), ...env },
    });
    this.child.stdin.end();
    for (const name of ["stdout", "stderr"] as const) {
      this.child[name].setEncoding("utf8").on("data", (text: string) => {
        this[name] += text;
      });
    }
    this.ended = once(this.child, "close").then(([exitCode]) => exitCode as number | null);
    onTestFinished(() => void this.child.kill("SIGKILL"));
  }

  static async start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Listener> {
    const listener = new Listener(args, env);
    await vi.waitFor(() => expect(listener.stderr).toMatch(/Listening on http:\S+ until/), SOON);
    listener.url = /Listening on (\S+)/.exec(listener.stderr)?.[1] ?? "";
    return listener;
  }

  get events(): ListenedEvent[] {
    return this.stdout
      .split("\n")
      .filter((line) => line.endsWith("}"))
      .map((line) => parseJson(line) as ListenedEvent);
  }
}

interface ListenedEvent {
  type: string;
  status: string;
  id: string;
  verified: boolean;
  repeat: boolean;
  answered: number;
  handler: { status: number | null; error: string | null } | null;
  headers: Record<string, string>;
  event: { id: string; type: string; timestamp: string; data: Record<string, unknown> };
}

function withSecret(...args: string[]): Promise<Listener> {
  return Listener.start(args, { MSGCTL_WEBHOOK_SECRET: SECRET });
}

async function post(url: string, { body, headers }: Pick<SignedWebhook, "body"> & { headers?: object }) {
  const response = await fetch(url, { method: "POST", body, headers: { ...headers } });
  return response.status;
}

const signed = (id: string, data: object = { requestId: "7", status: "DIALING" }, secret = SECRET) =>
  signWebhook({ type: "voice.tts_call.updated" as string, data }, secret, { id });

interface Handler {
  url: string;
  received: { body: Buffer; headers: Record<string, string | string[] | undefined> }[];
}

/** Starts a callback handler as a developer would write one. */
async function handle(answer: (response: ServerResponse) => void): Promise<Handler> {
  const received: Handler["received"] = [];
  const server = createServer(async (request, response) => {
    received.push({ body: await buffer(request), headers: request.headers });
    answer(response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

describe("msgctl listen with the callbacks of a real server", () => {
  const to = "+12025550100";
  let server: SharedServer;
  let demo: Credential & { callbackSecret: string };
  let client: MessagingClient;

  beforeAll(async () => {
    server = await folder.shareDemo();
    demo = folder.demoCredential as typeof demo;
    client = new MessagingClient({ ...demo, baseUrl: server.baseUrl });
  });

  function call(callbackUrl: string) {
    return client.tts.create({
      ...{ merchantId: "demo", useCase: "OTP", messageText: "Your code is 1234.", toNumber: to, callbackUrl },
    });
  }

  it("verifies callbacks with the demo server's secret, and prints the state that the service shows afterwards", async () => {
    const listener = await Listener.start(["--profile", "demo", "-o", "json"]);
    const submitted = await call(listener.url);
    await vi.waitFor(() => expect(listener.events.at(-1)?.type).toBe("voice.tts_batch.finalized"), SOON);
    listener.child.kill("SIGINT");
    expect(await listener.ended).toBe(130);

    const [ofCall, ofBatch] = listener.events.slice(-2);
    expect(ofCall?.event.data).toEqual(await client.tts.get(submitted.requestId ?? ""));
    expect(ofBatch?.event.data).toEqual(await client.tts.summary(submitted.batchId));
    expect(ofCall).toMatchObject({ status: "SUCCESS", verified: true, repeat: false, answered: 200, handler: null });
    expect(listener.stderr).toContain("Verifying with the secret of the demo server of this folder.");
    expect(listener.stderr).toContain(`"message": "interrupted after ${listener.events.length} events"`);
  });

  it("gets the events of the demo server's messages while it listens", async () => {
    const subscription = async () => (await fetch(`${server.baseUrl}/control/event-subscription`)).json();
    const listener = await Listener.start([
      "--profile",
      "demo",
      "-o",
      "jsonl",
      "--events",
      "message.*",
      "--count",
      "3",
    ]);
    expect(await subscription()).toEqual({ url: listener.url });
    const answers = "+12025550153";
    const text = { merchantId: "demo", to: answers, message: "See you at ten?", type: "TRANSACTIONAL" } as const;
    const { messageId } = await client.send.sms(text);
    expect(await listener.ended).toBe(0);
    expect(listener.stderr).toContain("The demo server posts the events of its messages here, too");
    const told = listener.events.map(({ type, status, verified, event }) => [
      type,
      status,
      verified,
      event.data.messageId,
    ]);
    expect(told.sort()).toEqual([
      ["message.received", null, true, messageId],
      ["message.updated", "DELIVERED", true, messageId],
      ["message.updated", "SENT", true, messageId],
    ]);
    expect(await subscription()).toEqual({ url: null });
  });

  it("forwards callbacks byte for byte, and lets the service retry those that the handler did not accept", async () => {
    let refusals = 1;
    const handler = await handle((response) => {
      refusals -= 1;
      response.writeHead(refusals < 0 ? 204 : 500).end("what nobody reads");
    });
    const flags = ["--events", "voice.tts_batch.finalized", "--forward", handler.url, "--count", "2", "-o", "jsonl"];
    const listener = await Listener.start(flags);
    await call(listener.url);
    await vi.waitFor(() => expect(listener.events).toHaveLength(1), SOON);
    const advanced = await fetch(`${server.baseUrl}/control/clock`, {
      ...{ method: "POST", headers: { "content-type": "application/json" }, body: '{"advance":"10s"}' },
    });
    expect(advanced.ok).toBe(true);
    expect(await listener.ended).toBe(0);

    const [refused, taken] = listener.events;
    expect(refused).toMatchObject({ answered: 500, repeat: false, handler: { status: 500, error: null } });
    expect(taken).toMatchObject({ answered: 204, repeat: true, handler: { status: 204, error: null } });
    expect(taken?.id).toBe(refused?.id);
    for (const { body, headers } of handler.received) {
      const { id } = await verifyWebhook(body, headers, demo.callbackSecret);
      expect(id).toBe(taken?.id);
    }
    expect(handler.received[1]?.headers).toMatchObject(taken?.headers ?? {});
    expect(listener.stderr).toMatch(
      /Stopped after 2 events \(1 again\), 1 accepted by the handler, \d+ not wanted\.\n$/,
    );
  });
});

describe("a post", () => {
  it("is answered 502 if no handler listens", async () => {
    const { url } = await handle(() => {});
    const nobody = url.replace(/:\d+/, ":1");
    const listener = await withSecret("--forward", nobody, "--count", "1", "-o", "jsonl");
    expect(await post(listener.url, await signed("evt_1"))).toBe(502);
    expect(await listener.ended).toBe(0);
    expect(listener.events[0]?.handler).toMatchObject({ status: null, error: "nothing is listening there" });
  });
});

describe("the process", () => {
  it("waits after Ctrl-C until posts in progress are answered", async () => {
    let release = () => {};
    const handler = await handle((response) => {
      release = () => response.writeHead(201).end();
    });
    const listener = await withSecret("--forward", handler.url, "-o", "jsonl");
    const answer = post(listener.url, await signed("evt_1"));
    await vi.waitFor(() => expect(handler.received).toHaveLength(1), SOON);
    listener.child.kill("SIGINT");
    await vi.waitFor(() => expect(listener.stderr).toContain("Waiting for callbacks in progress (1)"), SOON);
    release();
    expect(await answer).toBe(201);
    expect(await listener.ended).toBe(130);
    expect(listener.events[0]?.handler?.status).toBe(201);
    expect(listener.stderr).toContain('"message":"interrupted after 1 event, 1 accepted by the handler"');
  });

  it("exits if its output is no longer read", async () => {
    const listener = await withSecret();
    listener.child.stdout.destroy();
    // several posts, because the first write may still fit into the pipe
    for (let index = 0; listener.child.exitCode === null && index < 50; index += 1) {
      await post(listener.url, await signed(`evt_${index}`)).catch(() => undefined);
    }
    expect(await listener.ended).toBe(0);
    expect(listener.stderr).not.toContain("error");
  });

  it.each([
    [["--profile", "nobody"], 9, "msgd callbacks secret --tenant <id>"],
    [["--no-verify", "--port", "1e3"], 2, '--port: received "1e3"; expected an integer from 0 to 65535'],
    [["--no-verify", "--forward", "http://me:secret@localhost"], 2, "--forward: expected an http or https URL"],
    [["--no-verify", "--retries", "3"], 2, "--retries: this command sends no requests"],
    [["--no-verify", "--dry-run"], 2, "--dry-run"],
  ])("exits before it listens if called with %j", async (args, exitCode, said) => {
    const ended = await runMsgctl(["listen", ...args], { cwd: folder.parent, stdin: "open" });
    expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
    expect(ended.stderr).toContain(said);
    expect(ended.stderr).not.toContain("secret@");
  });

  it("exits at once if another program listens on the port", async () => {
    const { url } = await handle(() => {});
    const { port } = new URL(url);
    const ended = await runMsgctl(["listen", "--no-verify", "--port", port], { cwd: folder.parent });
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(`port ${port} of 127.0.0.1 is already in use`);
    expect(ended.stderr).toContain("hint: Give --port 0 for a free port");
  });
});
