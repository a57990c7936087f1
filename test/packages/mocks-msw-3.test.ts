// The packed mocks with msw 3, which requires Node 22 or later and is fetched from npm once. Without a network, the tests are
// skipped.

import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { installPeers } from "../bench/peers.ts";
import { consumerFaults } from "../e2e/consumer-faults.ts";
import { findSqliteFor } from "./native-sqlite.ts";
import { packMocks, packSdk, packServer, root } from "./packed.ts";
import { find, runtimes } from "./runtimes.ts";

const stateful = `
  import { MessagingClient } from "@msgctl/sdk";
  import { createMockService } from "@msgctl/mocks";
  import { setupServer } from "msw/node";

  const lines: string[] = [];
  console.warn = console.error = (line) => lines.push(String(line));
  const service = await createMockService();
  const server = setupServer(...service.handlers);
  server.listen({ onUnhandledFrame: service.onUnhandledFrame });

  const client = new MessagingClient({ ...service, maxRetries: 0 });
  const body = { merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" } as const;
  const sent = await client.send.sms(body);
  const [message] = await service.messages();

  const events: string[] = [];
  service.onCallback(async (request) => {
    events.push(((await request.json()) as { type: string }).type);
    return undefined;
  });
  const call = { merchantId: "demo", toNumber: "+12025550100", messageText: "Hello", useCase: "OTP" } as const;
  await client.tts.create({ ...call, callbackUrl: "https://shop.example/hooks" });
  await service.clock.advance("72h");

  const mistaken = await client.send.sms({ ...body, to: "123" as "+1" }).safe();
  await service.failNext("sendSms", { code: "quota_exceeded" });
  const planned = await client.send.sms(body).safe();
  const unanswered = await fetch("https://elsewhere.example/api/v1/messages/sms", { method: "POST" }).catch(String);
  server.close();
  await service.close();
  console.log(JSON.stringify({
    isSent: message?.messageId === sent.messageId,
    events: [...new Set(events)],
    refusals: [mistaken, planned].map((each) => !each.ok && "code" in each.error && each.error.code),
    unanswered,
    lines,
  }));
`;

const light = `
  import { createHandlers, exampleHandlers, exampleOf, onUnhandledFrame } from "@msgctl/mocks/light";
  import { setupServer } from "msw/node";

  const lines: string[] = [];
  console.warn = console.error = (line) => lines.push(String(line));
  const baseUrl = "https://api.example.com";
  const http = createHandlers({ baseUrl });
  const server = setupServer(
    http.get("/api/v1/merchants/{merchantId}", ({ params, response }) =>
      response(200).json({ ...exampleOf("getMerchant"), merchantId: params.merchantId }),
    ),
  );
  server.listen({ onUnhandledFrame });
  const ask = async (path: string) => {
    const reply = await fetch(baseUrl + path).catch(String);
    return typeof reply === "string" ? reply : [reply.status, ((await reply.json()) as { merchantId?: string }).merchantId];
  };
  const replies = [await ask("/api/v1/merchants/smile"), await ask("/api/v1/alerts")];
  server.use(...exampleHandlers(baseUrl, { status: 503 }));
  replies.push(await ask("/api/v1/alerts"));
  server.close();
  console.log(JSON.stringify({ replies, lines }));
`;

const cache = join(root, ".cache/msw-3");
const node22 = runtimes.find(({ title, version }) => title === "Node.js" && version.startsWith("22."));
/** Folder in which msw 3 is installed. Other packages resolve to the folders above it. */
let folder: string;
let missing: string | undefined;
let program: string;

beforeAll(async () => {
  const { missing: packages, failure } = await installPeers(join(root, "test/packages/msw-3"), cache);
  if (packages.length > 0) missing = `${packages.join(", ")} could not be had from npm: ${failure}`;
  if (node22 === undefined) throw new Error("There is no Node.js 22 among the runtimes.");
  const [found, sqlite] = await Promise.all([find(node22), findSqliteFor(node22)]);
  mkdirSync(cache, { recursive: true });
  folder = realpathSync(mkdtempSync(join(cache, "consumer-")));
  if ("missing" in found) missing ??= found.missing;
  else program = found.program;
  if ("missing" in sqlite) missing ??= sqlite.missing;
  else install("better-sqlite3", sqlite.folder);
  for (const packed of [packSdk(), packServer(), packMocks()]) install(packed.manifest.name, packed.folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  writeFileSync(join(folder, "stateful.ts"), stateful);
  writeFileSync(join(folder, "light.ts"), light);
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function install(name: string, from: string): void {
  cpSync(from, join(folder, "node_modules", name), { recursive: true });
}

async function toldBy(file: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(program, ["--no-warnings", file], { cwd: folder, timeout: 100_000 });
  return JSON.parse(stdout);
}

it("msw 3 runs the mock service", async ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  expect(await toldBy("stateful.ts")).toEqual({
    isSent: true,
    events: expect.arrayContaining(["voice.tts_batch.finalized"]),
    refusals: ["invalid_phone_number", "quota_exceeded"],
    unanswered: expect.stringContaining("TypeError"),
    lines: [
      expect.stringMatching(/^@msgctl\/mocks: sendSms .* was refused with 400 invalid_phone_number at \/to: /),
      expect.stringMatching(/^@msgctl\/mocks: nothing answers POST https:\/\/elsewhere.* at another address: /),
    ],
  });
});

it("msw 3 answers with the light handlers", async ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  expect(await toldBy("light.ts")).toEqual({
    replies: [[200, "smile"], expect.stringContaining("TypeError"), [503, null]],
    lines: [expect.stringMatching(/^@msgctl\/mocks: GET \/api\/v1\/alerts is not mocked\. It is listAlerts /)],
  });
});

it("the mocks compile with the types of msw 3", ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  // checks only our two declaration files, because checking msw's takes 15 s
  const own = ["index.d.ts", "light.d.ts"].map((file) => `node_modules/@msgctl/mocks/dist/${file}`);
  const files = ["stateful.ts", "light.ts", ...own].map((file) => join(folder, file));
  expect(consumerFaults(files, folder, { isAlone: true })).toBe("");
});
