// `msgctl listen`, the built one: a real msgd posts its callbacks to it, and so does whoever means no good.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
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

/** A msgctl listen on a port of its own, killed with the test if it has not ended. */
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

/** The handler that somebody is writing. */
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

describe("with the callbacks of a real server", () => {
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

  it("verifies them by the demo server's own secret and prints what the service then shows", async () => {
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

  it("ends after --count events, of the types that are wanted", async () => {
    const listener = await Listener.start([
      "--events",
      "voice.tts_call.fin*,voice.tts_batch.finalized",
      "--count",
      "2",
    ]);
    await call(listener.url);
    expect(await listener.ended).toBe(0);
    const [headings, ...rows] = listener.stdout.trimEnd().split("\n");
    expect(headings).toMatch(/^time +type +subject +status +verified$/);
    expect(rows).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}voice\.tts_call\.finalized +\d+ +SUCCESS +yes$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d {2}voice\.tts_batch\.finalized +\d+ +COMPLETED +yes$/),
    ]);
    expect(listener.stderr).toContain("voice.tts_call.updated is not among --events: answered 200 and not shown.");
    expect(listener.stderr).toMatch(/Stopped after 2 events, \d+ not wanted\.\n$/);
  });

  it("forwards each byte for byte, and lets the service repeat what the handler did not take", async () => {
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

  it("verifies with the old secret and with the new one while both sign, and with neither of another tenant", async () => {
    const secretOf = (tenantId: string, ...more: string[]) => {
      const args = ["callbacks", "secret", "--tenant", tenantId, ...more];
      return folder.command<{ callbackSecret: string }>(...args);
    };
    const renewed = secretOf(demo.tenantId, "--rotate");
    const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Other", "--test");
    const files = { "old.txt": demo.callbackSecret, "new.json": JSON.stringify(renewed) };
    for (const [name, text] of Object.entries({ ...files, "other.json": JSON.stringify(secretOf(tenantId)) })) {
      writeFileSync(join(folder.parent, name), text);
    }
    for (const given of [["old.txt"], ["new.json"], ["other.json", "new.json"]]) {
      const listener = await Listener.start([...given.flatMap((name) => ["--secret-file", name]), "--count", "1"]);
      await call(listener.url);
      expect([given, await listener.ended]).toEqual([given, 0]);
      expect(listener.stderr).not.toContain("refused");
    }
    const stranger = await Listener.start(["--secret-file", "other.json"]);
    await call(stranger.url);
    const hint = "hint: Compare the secret with what `msgd callbacks secret --tenant <id>` prints";
    await vi.waitFor(() => expect(stranger.stderr).toContain(hint), SOON);
    expect(stranger.stderr).toContain("(no_matching_signature)");
    expect(stranger.stdout).toBe("");
    // noted once the reply is there, which is after the listener has told
    await vi.waitFor(async () => {
      const response = await fetch(`${server.baseUrl}/control/callbacks`);
      const callbacks = (await response.json()) as { lastOutcome: string | null }[];
      expect(callbacks.map(({ lastOutcome }) => lastOutcome)).toContain("400");
    }, SOON);
    for (const secret of [demo.callbackSecret, renewed.callbackSecret]) expect(stranger.stderr).not.toContain(secret);
  });
});

describe("whatever is posted to it", () => {
  it("marks one that came before, and keeps integers exact", async () => {
    const listener = await withSecret("--count", "3", "-o", "jsonl", "--query", "[id, repeat, event.data.requestId]");
    const first = await signed("evt_1", { requestId: 9007199254740993n });
    for (const webhook of [first, await signed("evt_2"), first]) expect(await post(listener.url, webhook)).toBe(200);
    expect(await listener.ended).toBe(0);
    expect(listener.stdout).toBe(
      '["evt_1",false,9007199254740993]\n["evt_2",false,"7"]\n["evt_1",true,9007199254740993]\n',
    );
  });

  it("refuses what is no callback, and forwards none of it", async () => {
    const handler = await handle((response) => response.end());
    const listener = await withSecret("-v", "--path", "/cb", "--forward", handler.url);
    const origin = listener.url.replace(/\/cb$/, "");
    const fresh = await signed("evt_1");
    const forged = await signed("evt_1", {}, SECRET.replace("B", "C"));
    const old = await signWebhook({ type: "x", data: {} }, SECRET, { now: Date.now() - 301_000 });
    const changed = { ...fresh, body: fresh.body.replace("DIALING", "SUCCESS") };
    expect(await Promise.all([forged, old, changed, { body: "{}" }].map((one) => post(listener.url, one)))).toEqual([
      ...[400, 400, 400, 400],
    ]);
    expect(await post(`${origin}/other`, fresh)).toBe(404);
    expect((await fetch(listener.url)).status).toBe(405);
    expect(await post(listener.url, { ...fresh, headers: { ...fresh.headers, origin: "https://evil.example" } })).toBe(
      403,
    );
    const large = { body: "x".repeat(1024 * 1024 + 1), headers: fresh.headers };
    await expect(post(listener.url, large).catch(() => 413)).resolves.toBe(413);
    expect(await post(listener.url, fresh)).toBe(200);
    expect(handler.received).toHaveLength(1);
    const told = [
      ...["(no_matching_signature)", "(too_old)", "(missing_header)", "its body has more than 1048576 bytes"],
      ...["refused: GET /cb: callbacks are POST requests\n", "< POST /cb, answered 200\n"],
    ];
    await vi.waitFor(() => {
      for (const text of told) expect(listener.stderr).toContain(text);
    }, SOON);
  });

  it("takes events of anybody with --no-verify, and shows no control characters of theirs", async () => {
    const listener = await Listener.start(["--no-verify", "--count", "1"]);
    expect(await post(listener.url, { body: "no JSON" })).toBe(400);
    const body = JSON.stringify({ type: "x\u001b[2J\ny", data: { anyId: "\u001b]0;title\u0007", status: "\u009b1m" } });
    expect(await post(listener.url, { body })).toBe(200);
    expect(await listener.ended).toBe(0);
    expect(listener.stdout).toMatch(/ {2}x\\u001b\[2J\\ny +\\u001b\]0;title\\u0007 +\\u009b1m +no\n$/);
    expect(listener.stderr).toContain("Warning: callbacks are not verified.");
    expect(listener.stderr).toContain("(not_json)");
  });

  it("answers 502 where no handler listens", async () => {
    const { url } = await handle(() => {});
    const nobody = url.replace(/:\d+/, ":1");
    const listener = await withSecret("--forward", nobody, "--count", "1", "-o", "jsonl");
    expect(await post(listener.url, await signed("evt_1"))).toBe(502);
    expect(await listener.ended).toBe(0);
    expect(listener.events[0]?.handler).toMatchObject({ status: null, error: "nothing is listening there" });
  });

  it("hands the handler exactly as many as it shows, however many come at once", async () => {
    const handler = await handle((response) => response.end());
    const listener = await withSecret("--forward", handler.url, "--count", "3", "-o", "csv");
    const webhooks = await Promise.all(Array.from({ length: 12 }, (_, index) => signed(`evt_${index}`)));
    const statuses = await Promise.all(webhooks.map((webhook) => post(listener.url, webhook).catch(() => 503)));
    expect(await listener.ended).toBe(0);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 503)).toHaveLength(9);
    expect(handler.received).toHaveLength(3);
    const [header, ...rows] = listener.stdout.trimEnd().split("\n");
    expect([header?.split(",")[0], rows.length]).toEqual(["time", 3]);
  });
});

describe("its end", () => {
  it("lets what is under way be answered after Ctrl-C", async () => {
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

  it("comes by itself when nobody reads its output any more", async () => {
    const listener = await withSecret();
    listener.child.stdout.destroy();
    // the first write may still go into the pipe
    for (let index = 0; listener.child.exitCode === null && index < 50; index += 1) {
      await post(listener.url, await signed(`evt_${index}`)).catch(() => undefined);
    }
    expect(await listener.ended).toBe(0);
    expect(listener.stderr).not.toContain("error");
  });

  it("says with 10 that too few came in time, and with 0 that the time is over", async () => {
    const awaiting = await withSecret("--count", "2", "--timeout", "3");
    expect(await post(awaiting.url, await signed("evt_1"))).toBe(200);
    expect(await awaiting.ended).toBe(10);
    expect(awaiting.stderr).toContain("error: 1 event within 3 s, of 2 expected\n");
    const bounded = await withSecret("--timeout", "0.5");
    expect(await bounded.ended).toBe(0);
    expect(bounded.stderr).toContain("Stopped after 0 events.\n");
  });

  it.each([
    [["--profile", "nobody"], 9, "msgd callbacks secret --tenant <id>"],
    [["--no-verify", "--port", "1e3"], 2, '--port: received "1e3"; expected an integer from 0 to 65535'],
    [["--no-verify", "--forward", "http://me:secret@localhost"], 2, "--forward: expected an http or https URL"],
    [["--no-verify", "--retries", "3"], 2, "--retries: this command sends no requests"],
    [["--no-verify", "--dry-run"], 2, "--dry-run"],
  ])("comes before it listens for %j", async (args, exitCode, said) => {
    const ended = await runMsgctl(["listen", ...args], { cwd: folder.parent, stdin: "open" });
    expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
    expect(ended.stderr).toContain(said);
    expect(ended.stderr).not.toContain("secret@");
  });

  it("comes at once where something else listens on the port", async () => {
    const { url } = await handle(() => {});
    const { port } = new URL(url);
    const ended = await runMsgctl(["listen", "--no-verify", "--port", port], { cwd: folder.parent });
    expect(ended.exitCode).toBe(2);
    expect(ended.stderr).toContain(`port ${port} of 127.0.0.1 is already in use`);
    expect(ended.stderr).toContain("hint: Give --port 0 for a free port");
  });

  it("takes a secret from standard input, which it never prints", async () => {
    const child = spawn(
      process.execPath,
      [msgctlPath, "listen", "--port", "0", "--secret-file", "-", "--timeout", "1"],
      {
        ...{ cwd: folder.parent, env: cleanEnvironment(folder.parent) },
      },
    );
    let written = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => {
        written += String(text);
      });
    child.stdin.end(`callbackSecret  ${SECRET}\n`);
    expect(await once(child, "close")).toEqual([0, null]);
    expect(written).toContain("Verifying with the secret of standard input.");
    expect(written).not.toContain(SECRET);
  });
});
