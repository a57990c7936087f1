// Runs the output of `msgctl --curl` in a shell against a real msgd. It has the same effect as the command itself.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Ended, runMsgctl } from "./msgctl-process.ts";
import { type Credential, MsgdFolder } from "./msgd-process.ts";

const run = promisify(execFile);
const folder = new MsgdFolder();
let demo: Credential;
let lacking: string | undefined;

beforeAll(async () => {
  lacking = await whatIsLacking();
  await folder.shareDemo();
  demo = folder.demoCredential;
});
afterAll(() => folder.remove());

async function whatIsLacking(): Promise<string | undefined> {
  if (process.platform === "win32") return "needs a POSIX shell";
  const isThere = await run("curl", ["--version"]).then(
    () => true,
    () => false,
  );
  return isThere ? undefined : "needs curl, which is not installed";
}

function msgctl(...args: string[]): Promise<Ended> {
  return runMsgctl(args, { cwd: folder.parent });
}

/** Runs the printed command with the credential in the environment, and returns the service's answer. */
async function runPrinted(command: string): Promise<unknown> {
  const { apiKey, apiSecret } = demo;
  const env = { PATH: process.env.PATH, MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret };
  const { stdout } = await run("sh", ["-c", command], { env, cwd: folder.parent });
  return JSON.parse(stdout);
}

it("the printed command sends the same message under the same key", async ({ skip }) => {
  if (lacking !== undefined) skip(lacking);
  const message = `It's "quoted" \\ $HOME \`id\` $(id) !! é 😀 %s @file\n\ttwo lines`;
  const send = ["send", "sms", "--merchant-id", "demo", "--to", "+12025550100", "--type", "OTP", "--message", message];
  const keyed = [...send, "--idempotency-key", "it's $HOME"];
  const printed = await msgctl(...keyed, "--curl");
  expect([printed.exitCode, printed.stderr]).toEqual([
    0,
    "The command needs MSGCTL_API_KEY, MSGCTL_API_SECRET in its environment.\n",
  ]);
  for (const secret of [demo.apiKey, demo.apiSecret]) expect(printed.stdout).not.toContain(secret);
  const sent = await runPrinted(printed.stdout);
  expect(sent).toMatchObject({ merchantId: "demo", channel: "SMS", status: "QUEUED" });
  // the same id proves the same body and key: another body would be refused, and another key would create a new message
  const repeated = await msgctl(...keyed, "-o", "json");
  expect([repeated.exitCode, repeated.stderr]).toEqual([
    0,
    expect.stringContaining("Already done with this idempotency key"),
  ]);
  expect(JSON.parse(repeated.stdout)).toMatchObject({ messageId: (sent as { messageId: string }).messageId });
});

it("the printed command reads the same data as msgctl", async ({ skip }) => {
  if (lacking !== undefined) skip(lacking);
  const list = ["consent", "list", "--merchant-id", "demo"];
  const { stdout } = await msgctl(...list, "-o", "json");
  expect(JSON.parse(stdout)).not.toEqual([]);
  expect(await runPrinted((await msgctl(...list, "--curl")).stdout)).toEqual(JSON.parse(stdout));
});

it("the printed command has a generated key if none is given, so that it can be run twice", async ({ skip }) => {
  if (lacking !== undefined) skip(lacking);
  const { stdout } = await msgctl("send", "direct-email", "--to", "a@example.com", "--body", "<p>'</p>", "--curl");
  const [first, second] = [await runPrinted(stdout), await runPrinted(stdout)] as { messageId: string }[];
  expect(first?.messageId).toMatch(/^msg_/);
  expect(second?.messageId).toBe(first?.messageId);
});
