// `msgctl-mock`, installed from the npm package @msgctl/mocks with only its dependencies. It is started with the command that
// `msgctl mock` prints, and used with the commands that it prints itself.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { verifyWebhook } from "@msgctl/sdk/webhooks";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { msgctlPath } from "../e2e/msgctl-process.ts";
import { packMocks, packServer, root } from "./packed.ts";

const WAIT = { timeout: 60_000, interval: 50 };
const run = promisify(execFile);
const mocks = packMocks();
const server = packServer();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "mocks-installed-")));
const program = join(folder, "node_modules/@msgctl/mocks/bin/msgctl-mock.js");

beforeAll(() => {
  for (const { manifest, folder: packed } of [mocks, server]) {
    cpSync(packed, join(folder, "node_modules", manifest.name), { recursive: true });
  }
  const names = [...Object.keys({ ...mocks.manifest.dependencies, ...server.manifest.dependencies })];
  for (const name of [...names.filter((name) => name !== server.manifest.name), "@stoplight/prism-cli"]) {
    const own = join(root, "packages/server/node_modules", name);
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    // linked, so that each package finds its own dependencies
    symlinkSync(existsSync(own) ? own : join(root, "node_modules", name), link, "junction");
  }
  mkdirSync(join(folder, "node_modules/.bin"));
  for (const [name, file] of Object.entries(mocks.manifest.bin as Record<string, string>)) {
    symlinkSync(join("../@msgctl/mocks", file), join(folder, "node_modules/.bin", name));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const { pid = 0 } of running) process.kill(-pid, "SIGKILL");
  running.clear();
});

/** The environment without the developer's npm settings, with which npx would look elsewhere. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:MSGCTL_|npm_)/i.test(name)));

interface Running {
  readonly url: string;
  readonly output: string;
  /** Printed commands, by the text before each. A command without such a text is its own key. */
  readonly commands: ReadonlyMap<string, string>;
  /** Sends SIGTERM only to the started process. */
  terminate(): void;
  /** Sends SIGINT to the process group, as a terminal does on Ctrl-C. Resolves with the exit code or signal. */
  interrupt(): Promise<number | string | null>;
}

/** Starts a program as a shell would, and waits until it has printed its commands. */
async function start(file: string, args: readonly string[]): Promise<Running> {
  const child = spawn(file, args, {
    cwd: folder,
    env: { ...env, npm_config_offline: "true" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  await vi.waitFor(() => expect(output).toContain("Ctrl-C ends it."), WAIT);
  const [, url = ""] = /^msgctl-mock listening on (\S+)$/m.exec(output) ?? [];
  const shown = [...output.matchAll(/^ {2}(.*?) *(curl .*)$/gm)];
  return {
    url,
    output,
    commands: new Map(shown.map(([, words = "", command = ""], index) => [words || `command ${index}`, command])),
    terminate: () => void child.kill("SIGTERM"),
    async interrupt() {
      const ended = once(child, "close");
      process.kill(-(child.pid ?? 0), "SIGINT");
      const [code, signal] = await ended;
      return code ?? signal;
    },
  };
}

const startProgram = (...args: string[]) => start(process.execPath, [program, ...args]);

async function paste(command = "nothing was shown"): Promise<string> {
  const { stdout } = await run("sh", ["-c", command.replace(/^curl /, "curl --silent --show-error ")], { env });
  return stdout;
}

function isServed(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => resolve(true)).on("error", () =>
      resolve(false),
    );
    socket.once("connect", () => socket.destroy());
  });
}

const refusal = (...args: string[]) =>
  run(process.execPath, [program, ...args], { cwd: folder, env }).then(
    () => expect.unreachable("it did not refuse"),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );

describe.skipIf(process.platform === "win32")("the stateful mock", () => {
  it("is started by the command that msgctl mock shows, does what it prints, and ends on Ctrl-C", async () => {
    const { stdout: told } = await run(process.execPath, [msgctlPath, "mock"], { cwd: folder, env });
    const [, line = ""] = /^ {2}(npx @msgctl\/mocks .*)$/m.exec(told) ?? [];
    expect(line).toMatch(/ --port \d+$/);
    const mock = await start("sh", ["-c", line.replace(/\d+$/, "0")]);
    const { commands } = mock;
    expect([...commands.keys()]).toEqual([
      ...["command 0", "what was sent", "callbacks", "start over", "move time", "fail a call"],
    ]);
    const send = commands.get("command 0");
    const sent = JSON.parse(await paste(send));
    expect(sent).toMatchObject({ merchantId: "demo", channel: "SMS", status: "QUEUED" });
    const { messageId } = sent;
    expect(JSON.parse(await paste(commands.get("move time"))).offsetMs).toBeGreaterThan(0);
    const messages = JSON.parse(await paste(commands.get("what was sent")));
    expect(messages).toMatchObject([{ messageId, status: "DELIVERED", providerSends: 1 }]);
    expect(JSON.parse(await paste(commands.get("callbacks")))).toEqual([]);
    expect(JSON.parse(await paste(commands.get("fail a call")))).toMatchObject([{ code: "rate_limited" }]);
    expect(JSON.parse(await paste(send))).toMatchObject({ status: 429, code: "rate_limited" });
    await paste(commands.get("start over"));
    expect(JSON.parse(await paste(commands.get("what was sent")))).toEqual([]);
    expect(JSON.parse(await paste(send))).toMatchObject({ status: "QUEUED" });
    await mock.interrupt();
    await vi.waitFor(async () => expect(await isServed(mock.url)).toBe(false), WAIT);
  });

  it("ends when the npx that started it ends", async () => {
    const mock = await start("npx", ["@msgctl/mocks", "--port", "0"]);
    mock.terminate();
    await vi.waitFor(async () => expect(await isServed(mock.url)).toBe(false), WAIT);
  });

  it("has the same keys at each start, posts signed callbacks to this machine, and exits with 0", async () => {
    const receiver = createServer();
    const received = new Promise<{ body: string; headers: Headers }>((resolve) => {
      receiver.on("request", async (request, response) => {
        const headers = new Headers(request.headers as Record<string, string>);
        resolve({ body: await text(request), headers });
        response.writeHead(204).end();
      });
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const mocks = [await startProgram("--port", "0"), await startProgram("stateful", "--port=0")];
    const [mock, other] = mocks.map(({ output, url }) => ({
      ...{ url, apiKey: /x-api-key +(\S+)/.exec(output)?.[1], apiSecret: /x-api-secret +(\S+)/.exec(output)?.[1] },
      webhookSecret: /whsec_\S+/.exec(output)?.[0] ?? "",
    }));
    if (mock === undefined) expect.unreachable("none was started");
    expect(other).toEqual({ ...mock, url: expect.not.stringMatching(mock.url) });
    const reply = await fetch(`${mock.url}/api/v1/voice/tts-calls`, {
      method: "POST",
      headers: {
        ...{ "x-api-key": `${mock.apiKey}`, "x-api-secret": `${mock.apiSecret}`, "content-type": "application/json" },
      },
      body: JSON.stringify({
        ...{ merchantId: "demo", useCase: "OTP", messageText: "Your code is 1234", toNumber: "+12025550100" },
        callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callbacks`,
      }),
    });
    expect(reply.status).toBe(200);
    const { body, headers } = await received;
    expect(await verifyWebhook(body, headers, mock.webhookSecret)).toHaveProperty("type");
    receiver.close();
    expect(await Promise.all(mocks.map((each) => each.interrupt()))).toEqual([0, 0]);
  });

  it("has a fixed clock that starts at the given time, even after a reset", async () => {
    const { url, interrupt } = await startProgram("--port", "0", "--now", "2026-01-15T12:00:00Z");
    const now = async () => ((await (await fetch(`${url}/control/clock`)).json()) as { now: string }).now;
    const json = { "content-type": "application/json" };
    expect(await now()).toBe("2026-01-15T12:00:00.000Z");
    await fetch(`${url}/control/clock`, { method: "POST", headers: json, body: '{"advance":"1h"}' });
    expect(await now()).toBe("2026-01-15T13:00:00.000Z");
    await fetch(`${url}/control/reset`, { method: "POST" });
    expect(await now()).toBe("2026-01-15T12:00:00.000Z");
    expect(await interrupt()).toBe(0);
  });

  it("ends on Ctrl-C while a client keeps a connection open during a planned delay", async () => {
    const { url, commands, interrupt } = await startProgram("--port", "0");
    const fault = { operation: "sendSms", latencyMs: 60_000 };
    const json = { "content-type": "application/json" };
    await fetch(`${url}/control/faults`, { method: "POST", headers: json, body: JSON.stringify(fault) });
    const late = expect(paste(commands.get("command 0"))).rejects.toThrow();
    const isTaken = async () => ((await (await fetch(`${url}/control/faults`)).json()) as unknown[]).length === 0;
    await vi.waitFor(async () => expect(await isTaken()).toBe(true), WAIT);
    expect(await interrupt()).toBe(0);
    await late;
  });

  it("names the process that occupies its port", async () => {
    const taken = createServer();
    taken.listen(0, "127.0.0.1");
    await once(taken, "listening");
    const port = String((taken.address() as AddressInfo).port);
    const words = `msgctl-mock: port ${port} of 127.0.0.1 is taken: stop what listens there, or choose another with --port\n`;
    for (const mode of ["stateful", "prism"]) {
      expect(await refusal(mode, "--port", port)).toEqual({ code: 1, stdout: "", stderr: words });
    }
    taken.close();
  });
});

describe("the mock without a loadable binding of better-sqlite3", () => {
  const installed = join(folder, "node_modules/better-sqlite3");
  const binding = join(installed, "build/Release/better_sqlite3.node");
  beforeAll(() => {
    const source = join(root, "node_modules/better-sqlite3");
    rmSync(installed);
    for (const part of ["lib", "package.json"]) cpSync(join(source, part), join(installed, part), { recursive: true });
    for (const name of ["bindings", "file-uri-to-path"]) {
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
    }
  });
  afterAll(() => {
    rmSync(installed, { recursive: true });
    symlinkSync(join(root, "node_modules/better-sqlite3"), installed, "junction");
  });

  it.each([
    ["no binding exists", () => {}, /better-sqlite3 has no compiled binding for Node\.js/],
    [
      "it is none of this machine",
      () => {
        mkdirSync(dirname(binding), { recursive: true });
        writeFileSync(binding, "of another machine");
      },
      /The compiled binding of better-sqlite3 cannot be loaded by Node\.js/,
    ],
  ])("names the remedy in one line: %s", async (_what, change, words) => {
    change();
    const { code, stderr } = await refusal("stateful", "--port", "0");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^msgctl-mock: [^\n]* npm rebuild better-sqlite3 [^\n]*\n$/);
    expect(stderr).toMatch(words);
  });
});

describe.skipIf(process.platform === "win32")("the contract's examples by Prism", () => {
  it("are served by the printed command, until Ctrl-C", async () => {
    const mock = await startProgram("prism", "--port", "0");
    const [example = "", problem = ""] = await Promise.all([...mock.commands.values()].map(paste));
    expect(JSON.parse(example)).toHaveProperty("merchantId");
    expect(JSON.parse(problem)).toMatchObject({ status: 404, code: "merchant_not_found" });
    expect(await mock.interrupt()).toBe(0);
    expect(await isServed(mock.url)).toBe(false);
  });

  it("are refused with a command that installs Prism if it is missing", async () => {
    rmSync(join(folder, "node_modules/@stoplight/prism-cli"));
    const { stdout: told } = await run(process.execPath, [msgctlPath, "mock"], { cwd: folder, env });
    const [command = "nothing"] = /npx --package .* msgctl-mock prism/.exec(told) ?? [];
    const { code, stderr } = await refusal("prism", "--port", "0");
    expect([code, stderr]).toEqual([1, expect.stringContaining(command)]);
  });
});
