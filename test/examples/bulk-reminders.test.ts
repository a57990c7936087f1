// Both ways to send a campaign, killed half way and restarted: each reminder is sent once, and none is lost.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MessagingClient } from "@msgctl/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanEnvironment, msgctlPath } from "../e2e/msgctl-process.ts";
import { MsgdFolder, type SharedServer } from "../e2e/msgd-process.ts";
import { argsOf, type Run, run } from "./example-process.ts";

const ROWS = 120;
const folder = new MsgdFolder();
let server: SharedServer;
let client: MessagingClient;

beforeAll(async () => {
  server = await folder.shareDemo();
  client = new MessagingClient({ ...folder.demoCredential, baseUrl: server.baseUrl });
});
afterAll(() => folder.remove());

/** Makes the next sends slow. */
async function delaySends(latencyMs: number, times: number): Promise<void> {
  const fault = { operation: "sendSms", latencyMs, times };
  const response = await fetch(`${server.baseUrl}/control/faults`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fault) },
  });
  expect(response.ok).toBe(true);
}

/** Creates a merchant and its list. */
async function listOf(merchantId: string, areaCode: number): Promise<string> {
  await client.merchants.upsert({ merchantId, displayName: merchantId, smsLimit: 2 * ROWS });
  const phones = Array.from({ length: ROWS }, (_, index) => `+1${areaCode}4${String(index).padStart(6, "0")}`);
  const rows = phones.map((contact) => ({ merchantId, channel: "SMS", contact, status: "OPT_IN" }) as const);
  for await (const { ok } of client.consent.recordMany(rows)) expect(ok).toBe(true);
  const path = join(folder.parent, `${merchantId}.csv`);
  writeFileSync(path, `Phone,Message\n${phones.map((phone, row) => `${phone},"Visit ${row}, at 9:30"\n`).join("")}`);
  return path;
}

/** Runs the program. After `killAfter` lines of output, kills it and all processes that it has started. */
function runCommand(file: string, args: readonly string[], killAfter?: number): Promise<Run> {
  const { apiKey, apiSecret } = folder.demoCredential;
  const env = {
    ...cleanEnvironment(folder.parent),
    ...{ MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: server.baseUrl },
    MSGCTL: `${process.execPath} ${msgctlPath}`,
  };
  return run(file, args, env, (_line, printed, signal) => {
    if (printed === killAfter) signal("SIGKILL");
  });
}

/** Recipients of the server's messages, one entry for each message. */
async function phonesOf(areaCode: number): Promise<string[]> {
  const response = await fetch(`${server.baseUrl}/control/messages?limit=1000`);
  const messages = (await response.json()) as { to: string }[];
  return messages.map(({ to }) => to).filter((to) => to.startsWith(`+1${areaCode}4`));
}

const ways = {
  "send.ts": (list: string, merchantId: string) =>
    [process.execPath, [...argsOf("examples/bulk-reminders/send.ts"), list, "spring", merchantId]] as const,
  "send.sh": (list: string, merchantId: string) =>
    ["sh", ["examples/bulk-reminders/send.sh", list, merchantId]] as const,
};

describe.each(Object.entries(ways))("%s", (name, command) => {
  // the example is a shell script, which Windows cannot run
  it.skipIf(name.endsWith(".sh") && process.platform === "win32")("resumes after it was killed", async () => {
    const merchantId = `by-${name.replace(".", "-")}`;
    const areaCode = name === "send.ts" ? 214 : 312;
    const list = await listOf(merchantId, areaCode);
    const [file, args] = command(list, merchantId);

    // calls are in progress at the kill, and the last third of the rows waits for it, however late it comes
    await delaySends(15, (2 * ROWS) / 3);
    await delaySends(60_000, ROWS);
    const first = await runCommand(file, args, ROWS / 3);
    expect(first.ended).toBe("SIGKILL");
    await fetch(`${server.baseUrl}/control/faults`, { method: "DELETE" });
    expect((await phonesOf(areaCode)).length).toBeLessThan(ROWS);

    for (const again of ["the rest", "nothing"]) {
      const { ended, stderr } = await runCommand(file, args);
      expect([again, ended, stderr]).toEqual([again, 0, expect.any(String)]);
      const phones = await phonesOf(areaCode);
      expect([phones.length, new Set(phones).size]).toEqual([ROWS, ROWS]);
    }
  });
});

it("a campaign with refused rows reports them, and exits with 1", async () => {
  await client.merchants.upsert({ merchantId: "refusals", displayName: "Refusals" });
  const list = join(folder.parent, "refusals.csv");
  writeFileSync(list, "Phone,Message\n+12025550100,Nobody has agreed to this.\n");
  const [file, args] = ways["send.ts"](list, "refusals");
  const { ended, stdout, stderr } = await runCommand(file, args);
  expect([ended, stdout]).toEqual([1, []]);
  expect(stderr).toMatch(/^row 1: .+\n0 sent, 0 had been sent before, 1 refused\n$/);
});
