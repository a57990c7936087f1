// The programs of a shop, each as a separate process, between its users and a real server.

import { execFile } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { MessagingClient } from "@msgctl/sdk";
import { signWebhook, type VoiceTtsCallView } from "@msgctl/sdk/webhooks";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { installPeers } from "../bench/peers.ts";
import { cleanEnvironment } from "../e2e/msgctl-process.ts";
import { MsgdFolder, type SharedServer } from "../e2e/msgd-process.ts";
import { argsOf, ExampleProcess, root, run } from "./example-process.ts";

const WAIT = { timeout: 60_000, interval: 50 };
const nestFolder = join(root, ".cache/nest");
const folder = new MsgdFolder();
let server: SharedServer;
let client: MessagingClient;
let settings: Record<string, string>;
let secret: string;
let started: ExampleProcess | undefined;

beforeAll(async () => {
  server = await folder.shareDemo();
  const { apiKey, apiSecret, tenantId } = folder.demoCredential;
  client = new MessagingClient({ apiKey, apiSecret, baseUrl: server.baseUrl });
  settings = { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: server.baseUrl, PORT: "0" };
  secret = folder.command<{ callbackSecret: string }>("callbacks", "secret", "--tenant", tenantId).callbackSecret;
});
afterEach(() => started?.end());
afterAll(() => folder.remove());

async function start(path: string, ...args: string[]): Promise<ExampleProcess> {
  started = await ExampleProcess.start(path, { ...settings, MSGCTL_CALLBACK_SECRETS: secret }, args);
  return started;
}

/** Runs an example until it exits, with these arguments and settings. */
function runExample(
  path: string,
  args: string[],
  env: Record<string, string> = {},
  onLine?: Parameters<typeof run>[3],
) {
  const all = { ...cleanEnvironment(folder.parent), ...settings, ...env };
  return run(process.execPath, [...argsOf(path), ...args], all, onLine);
}

async function call(url: string, method: string, body?: object): Promise<[status: number, body: unknown]> {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const text = await response.text();
  return [response.status, /json/.test(response.headers.get("content-type") ?? "") ? JSON.parse(text) : text];
}

async function control<Reply>(method: string, path: string, body?: object): Promise<Reply> {
  const [status, reply] = await call(`${server.baseUrl}/control/${path}`, method, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(reply)}`);
  return reply as Reply;
}

it("the shop confirms an order once by SMS and once by email, and reports unsent messages", async () => {
  const { origin } = await start("examples/shop/checkout.ts");
  const confirm = (id: string, phone = "+12025550100") =>
    call(`${origin}/orders/${id}/confirmation`, "POST", {
      phone,
      email: "delivered@simulator.example",
      total: "12.50",
    });
  expect(await confirm("1001")).toEqual([200, { order: "1001", sms: "sent", email: "sent" }]);
  expect(await confirm("1001")).toEqual([200, { order: "1001", sms: "was sent", email: "was sent" }]);
  expect(await confirm("1002", "+13125550100")).toMatchObject([
    200,
    { sms: "not sent: you asked us not to write to you here", email: "sent" },
  ]);
  expect(await confirm("1003", "12")).toMatchObject([200, { sms: "not sent: please check the address" }]);
  await control("POST", "faults", { operation: "sendSms", code: "quota_exceeded" });
  expect(await confirm("1004")).toMatchObject([200, { sms: "not sent: you can find the order in your account" }]);
  expect(await confirm("1004")).toMatchObject([200, { sms: "sent", email: "was sent" }]);
});

it("the shop sends one reminder for each appointment time, until the guest opts out", async () => {
  const { origin } = await start("examples/shop/booking.ts");
  const phone = "+12125550162";
  const book = (at: string, to = phone) => call(`${origin}/bookings/b1`, "PUT", { phone: to, at, mayRemind: true });
  const remind = (now: string) => call(`${origin}/jobs/remind`, "POST", { now });

  const [status, { leave }] = (await book("2026-03-02T09:30:00Z")) as [number, { leave: string }];
  expect(status).toBe(201);
  expect(await remind("2026-03-01T09:00:00Z")).toEqual([200, {}]);
  expect(await remind("2026-03-01T10:00:00Z")).toEqual([200, { b1: "reminded" }]);
  expect(await remind("2026-03-01T10:05:00Z")).toEqual([200, {}]);
  await book("2026-03-05T09:30:00Z");
  expect(await remind("2026-03-04T10:00:00Z")).toEqual([200, { b1: "reminded" }]);

  expect(await call(`${origin}${leave}`, "GET")).toEqual([200, expect.stringContaining("<button>")]);
  expect(await call(`${origin}${leave}x`, "POST")).toEqual([403, { error: "not_your_link" }]);
  expect(await call(`${origin}${leave}`, "POST")).toMatchObject([200, expect.any(String)]);
  await call(`${origin}/bookings/b1`, "PUT", { phone, at: "2026-03-09T09:30:00Z" });
  expect(await remind("2026-03-08T10:00:00Z")).toEqual([200, { b1: "consent_opted_out" }]);
  expect(await remind("2026-03-08T10:05:00Z")).toEqual([200, {}]);
  expect(await book("2026-03-09T09:30:00Z", "12")).toMatchObject([422, { fields: [{ pointer: "/contact" }] }]);
  expect(await control("GET", `messages?to=${encodeURIComponent(phone)}`)).toHaveLength(2);
});

it("the shop sends a campaign of 5,000 once, although it is interrupted and then killed", async () => {
  const merchantId = "campaigns";
  const customers = Array.from({ length: 5_000 }, (_, index) => `+1214${String(4_000_000 + index)}`);
  await control("POST", "seed", {
    merchants: [{ merchantId, displayName: "Campaigns", smsLimit: 10_000 }],
    consents: customers.map((contact) => ({ merchantId, channel: "SMS", contact, status: "OPT_IN" })),
  });
  const file = join(folder.parent, "customers.db");
  const database = new Database(file);
  database.exec("CREATE TABLE customers (id INTEGER PRIMARY KEY, phone TEXT UNIQUE, text TEXT, message_id TEXT)");
  const insert = database.prepare(
    "INSERT INTO customers (phone, text) VALUES (?, 'Spring sale. Reply STOP to opt out.')",
  );
  database.transaction(() => customers.forEach((phone) => void insert.run(phone)))();
  const noted = () => database.prepare("SELECT COUNT(DISTINCT message_id) FROM customers").pluck().get() as number;
  const send = (stop?: NodeJS.Signals) =>
    runExample("examples/shop/campaign.ts", [file, "spring"], { MERCHANT_ID: merchantId }, (_line, printed, signal) => {
      if (stop !== undefined && printed === 10) signal(stop);
    });

  const interrupted = await send("SIGINT");
  expect([interrupted.ended, interrupted.stderr]).toEqual([130, ""]);
  expect(interrupted.stdout.at(-1)).toBe(`${noted()} sent, 0 had been sent before, 0 refused`);
  const before = noted();
  expect((await send("SIGKILL")).ended).toBe("SIGKILL");
  expect(noted()).toBeGreaterThan(before);
  expect(noted()).toBeLessThan(customers.length);
  expect(await send()).toMatchObject({ ended: 0, stderr: "" });
  // Each customer got a message, and the service counts one message for each customer.
  expect(noted()).toBe(customers.length);
  await vi.waitFor(async () => {
    expect((await client.merchants.get(merchantId)).usage.smsUsed).toBe(customers.length);
  }, WAIT);
  expect((await send()).stdout).toEqual(["0 sent, 0 had been sent before, 0 refused"]);
  database.close();
});

it("the shop gets the same result of a batch of calls from callbacks and from waiting for the batch", async () => {
  const receiver = await start("examples/webhooks/express.ts");
  const numbers = ["+12025550100", "+12025550130", "+12025550132"];
  for (const contact of numbers) {
    await client.consent.record({ merchantId: "demo", channel: "VOICE", contact, status: "OPT_IN" });
  }
  const { stdout, ended } = await runExample("examples/tts-batch/follow.ts", numbers, {
    CALLBACK_URL: `${receiver.origin}/callbacks`,
  });
  expect([ended, stdout.at(-1)]).toEqual([0, expect.stringMatching(/^COMPLETED_WITH_ERRORS: 1 of 3 heard/)]);
  const batchId = /^batch (\d+)/.exec(stdout[0] ?? "")?.[1];
  const last = `voice.tts_batch.finalized ${batchId} 1 of 3`;
  await vi.waitFor(() => expect(receiver.written).toContain(last), WAIT);
  const lines = (type: string) => receiver.written.filter((line) => line.startsWith(type));
  expect(lines("voice.tts_batch.finalized")).toEqual([last]);
  // callbacks of different calls are posted at the same time
  await vi.waitFor(() => expect(lines("voice.tts_call.finalized")).toHaveLength(numbers.length), WAIT);
});

it("the shop stores each callback once in an inbox, and processes it although it was killed", async () => {
  const file = join(folder.parent, "inbox.db");
  let inbox = await start("examples/shop/inbox.ts", file);
  const { requestId } = await client.tts.create({
    ...{ merchantId: "demo", useCase: "OTP", messageText: "Your code is 417.", toNumber: "+12025550100" },
    callbackUrl: `${inbox.origin}/callbacks`,
  });
  const database = new Database(file);
  const outcome = () => database.prepare("SELECT outcome FROM calls WHERE id = ?").pluck().get(requestId);
  await vi.waitFor(() => expect(outcome()).toBe("SUCCESS"), WAIT);

  // The same event again, an older event that arrives late, and one with a foreign signature.
  const events = database.prepare("SELECT id, event FROM inbox").all() as { id: string; event: string }[];
  const finalized = events.find(({ event }) => event.includes("tts_call.finalized"));
  const { type, data } = JSON.parse(finalized?.event ?? "") as {
    type: "voice.tts_call.finalized";
    data: VoiceTtsCallView;
  };
  const sign = (id: string, change: Partial<VoiceTtsCallView> = {}, timestamp = "2026-01-01T00:00:00Z", by = secret) =>
    signWebhook({ type, timestamp, data: { ...data, ...change } }, by, { id });
  const post = async ({ body, headers }: { body: string; headers: Record<string, string> }) =>
    (await fetch(`${inbox.origin}/callbacks`, { method: "POST", body, headers })).status;
  expect(await post(await sign(finalized?.id ?? "", { finalStatus: "FAILED" }, "2099-01-01T00:00:00Z"))).toBe(204);
  expect(await post(await sign("late", { finalStatus: "PENDING" }))).toBe(204);
  expect(await post(await sign("forged", {}, undefined, "whsec_b3RoZXIgc2VjcmV0IG9mIDI0IGJ5dGVz"))).toBe(400);
  await vi.waitFor(() => expect(inbox.written).toContain("done late"), WAIT);
  expect(inbox.written.filter((line) => line === `repeat ${finalized?.id}`)).toHaveLength(1);
  expect(outcome()).toBe("SUCCESS");
  await inbox.end();

  // The program stored the event, and was killed before it processed it.
  database.prepare("UPDATE inbox SET done = 0 WHERE id = ?").run(finalized?.id);
  database.prepare("DELETE FROM calls").run();
  inbox = await start("examples/shop/inbox.ts", file);
  await vi.waitFor(() => expect(outcome()).toBe("SUCCESS"), WAIT);
  database.close();
});

it("the shop records 2,000 consents, and later sends nothing to recipients who replied STOP", async () => {
  const merchantId = "crm";
  await client.merchants.upsert({ merchantId, displayName: "CRM", smsLimit: 10 });
  const phones = Array.from({ length: 2_000 }, (_, index) => `+1312${String(4_000_000 + index)}`);
  const file = join(folder.parent, "crm.csv");
  writeFileSync(file, `Phone,Consent\n${phones.map((phone) => `${phone},yes\n`).join("")}`);
  const sync = () => runExample("examples/shop/consent-sync.ts", [file], { MERCHANT_ID: merchantId });
  expect(await sync()).toEqual({
    ...{ ended: 0, stderr: "" },
    stdout: ["2000 recorded, 0 as they were, 0 opt-outs kept, 0 refused"],
  });

  const [to = ""] = phones;
  const { messageId } = await client.send.sms({ merchantId, to, message: "Sale!", type: "MARKETING" });
  await vi.waitFor(async () => {
    const [message] = await control<{ status: string }[]>("GET", `messages?messageId=${messageId}`);
    expect(message?.status).toBe("DELIVERED");
  }, WAIT);
  const { tenantId } = folder.demoCredential;
  await client.simulator.reply({ tenantId, messageId, replyBody: "STOP" });
  expect(await sync()).toEqual({
    ...{ ended: 0, stderr: "" },
    stdout: [
      expect.stringMatching(/^\+13124000000 opted out at \S+ \(SMS_REPLY:STOP\)/),
      "0 recorded, 1999 as they were, 1 opt-outs kept, 0 refused",
    ],
  });
  const again = await client.send.sms({ merchantId, to, message: "Sale!", type: "MARKETING" }).safe();
  expect(again).toMatchObject({ ok: false, error: { code: "consent_opted_out" } });
});

it("the shop onboards a merchant until it may send", async () => {
  let moved: Promise<unknown> = Promise.resolve();
  const args = ["examples/registration.yaml"];
  const first = await runExample("examples/registration/onboard.ts", args, { PAUSE_SECONDS: "0.05" }, (line) => {
    if (line.endsWith("_PENDING")) moved = moved.then(() => control("POST", "clock", { advance: "25h" }));
  });
  await moved;
  expect([first.ended, first.stderr, first.stdout.at(-1)]).toEqual([0, "", "ready to send"]);
  const again = await runExample("examples/registration/onboard.ts", args);
  expect(again).toEqual({ ended: 0, stderr: "", stdout: ["ready to send"] });
  const { brands, campaigns, numbers } = await client.registration.status("demo");
  expect([brands.length, campaigns.length, numbers.length]).toEqual([1, 1, 2]);
});

it("the shop reports a month's usage by merchant, over a network that is down at first", async () => {
  const report = (baseUrl = server.baseUrl, onLine?: Parameters<typeof run>[3]) =>
    runExample("examples/shop/report.ts", [folder.parent], { MSGCTL_BASE_URL: baseUrl }, onLine);
  await client.merchants.upsert({ merchantId: "reported", displayName: "Reported", smsLimit: 10 });
  await client.send.sms({ merchantId: "reported", to: "+12025550100", message: "Your code is 417.", type: "OTP" });
  await vi.waitFor(async () => expect((await client.merchants.get("reported")).usage.smsUsed).toBe(1), WAIT);

  // Nothing listens on this port until a connection of the program has been refused.
  const network = createServer((socket) => {
    const service = connect(Number(new URL(server.baseUrl).port), "127.0.0.1");
    socket.pipe(service).pipe(socket);
    socket.on("error", () => service.destroy());
    service.on("error", () => socket.destroy());
  });
  const port = await findFreePort();
  const first = await report(`http://127.0.0.1:${port}`, (line) => {
    if (line.includes("again in") && !network.listening) network.listen(port, "127.0.0.1");
  });
  network.close();
  expect([first.ended, first.stderr]).toEqual([0, expect.stringContaining("ECONNREFUSED")]);
  const { periodStart } = (await client.merchants.get("reported")).usage;
  const file = join(folder.parent, `usage-${periodStart.slice(0, 7)}.csv`);
  expect(readFileSync(file, "utf8")).toContain("\nreported,1,0,0,PROVISIONAL\n");

  const nextMonth = new Date(periodStart);
  nextMonth.setUTCMonth(nextMonth.getUTCMonth() + 1, 5);
  await control("POST", "clock", { set: nextMonth.toISOString() });
  expect(await report()).toMatchObject({
    stdout: [expect.stringMatching(/^\d{4}-\d\d: FINAL \(SETTLED\), SMS and email \d+\.\d{6} USD$/)],
  });
  expect(readFileSync(file, "utf8")).toMatch(/\nreported,1,0,0,FINAL\n(.+\n)*\(all\),\d+,\d+,,FINAL\n$/);
});

describe("the NestJS provider", () => {
  it("passes its unit tests under ts-jest in CommonJS", async ({ skip }) => {
    const source = join(root, "examples/shop/nest");
    const { missing, failure } = await installPeers(source, nestFolder);
    skip(missing.length > 0, `npm could not install ${missing.join(", ")}: ${failure}`);
    for (const name of ["jest.config.js", "tsconfig.json", "notifications.ts", "notifications.spec.ts"])
      copyFileSync(join(source, name), join(nestFolder, name));
    const jest = join(nestFolder, "node_modules/jest/bin/jest.js");
    const { NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
    const options = { cwd: nestFolder, env };
    // a busy machine exceeds jest's own limit of 5 s for a test
    const args = [jest, "--json", "--testTimeout=100000"];
    const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((error) => error);
    const { testResults } = JSON.parse(stdout.slice(stdout.indexOf('{"')));
    expect(testResults.map(({ message }: { message: string }) => message)).toEqual([""]);
    const statuses = testResults[0].assertionResults.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(["passed", "passed", "passed", "passed"]);
  });
});
