// Lists through the built msgctl against a real msgd, killed and run again: each row's message once, and none lost.

import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { msgctlPath, runMsgctl } from "./msgctl-process.ts";
import { MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const ROWS = 300;
const folder = new MsgdFolder();
let server: MsgdProcess;

beforeAll(async () => {
  server = await folder.serveDemo();
  // Slow enough that a kill finds calls under way.
  await control("POST", "faults", { operation: "sendSms", latencyMs: 10, times: 1_000_000 });
});
afterAll(() => folder.remove());

async function control(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
  const json =
    body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${server.baseUrl}/control/${path}`, { method, ...json });
  expect(response.ok).toBe(true);
  return response.status === 204 ? undefined : response.json();
}

const journals = join(folder.parent, ".config", "msgctl", "bulk");
const to = (index: number, areaCode: number) => `+1${areaCode}4${String(index).padStart(6, "0")}`;

/** A merchant and a list of its own, so that one test's messages are not another's. */
async function listOf(merchantId: string, areaCode: number): Promise<string> {
  const upsert = ["merchants", "upsert", "--merchant-id", merchantId, "--display-name", merchantId];
  const { exitCode, stderr } = await runMsgctl([...upsert, "--sms-limit", String(2 * ROWS)], { cwd: folder.parent });
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  const rows = Array.from({ length: ROWS }, (_, index) => `${to(index, areaCode)},"Message ${index}, once"\r\n`);
  const name = `${merchantId}.csv`;
  writeFileSync(join(folder.parent, name), `\uFEFFTo,Message\r\n${rows.join("")}`);
  return name;
}

const bulk = (list: string) => [
  ...["send", "bulk", list, "--channel", "SMS", "-y", "-o", "jsonl", "--concurrency", "8"],
  ...["--set", `merchantId=${list.replace(".csv", "")}`, "--set", "type=OTP"],
];

interface Outcome {
  row: number;
  ok: boolean;
  data: { messageId: string };
}

/** Starts the run, ends it by the signal once it has told so many outcomes, and gives those that it told. */
async function endAfter(outcomeCount: number, list: string, signal: "SIGKILL" | "SIGINT") {
  const child = spawn(process.execPath, [msgctlPath, ...bulk(list)], {
    cwd: folder.parent,
    env: { PATH: process.env.PATH, HOME: folder.parent, USERPROFILE: folder.parent },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const told: Outcome[] = [];
  const ended = new Promise<number | string | null>((resolve) => {
    child.once("close", (exitCode, endedBy) => resolve(exitCode ?? endedBy));
  });
  for await (const line of createInterface({ input: child.stdout })) {
    // The kill may cut the last line off.
    if (!line.endsWith("}")) continue;
    told.push(JSON.parse(line) as Outcome);
    if (told.length === outcomeCount) child.kill(signal);
  }
  return { told, ended: await ended };
}

async function runToItsEnd(list: string) {
  const { exitCode, stdout, stderr } = await runMsgctl(bulk(list), { cwd: folder.parent });
  const told = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Outcome);
  return { exitCode, stderr, told };
}

interface Message {
  to: string;
  messageId: string;
  providerSends: number;
}

async function expectEachOnce(list: string, areaCode: number): Promise<Map<string, string>> {
  await control("POST", "clock", { advance: "10m" });
  const messages = (await control("GET", "messages?limit=1000")) as Message[];
  const own = messages.filter((message) => message.to.startsWith(`+1${areaCode}4`));
  const expected = Array.from({ length: ROWS }, (_, index) => to(index, areaCode));
  expect(own.map((message) => message.to).sort()).toEqual(expected);
  expect(new Set(own.map(({ providerSends }) => providerSends))).toEqual(new Set([1]));
  const merchant = ["merchants", "get", list.replace(".csv", ""), "-o", "json"];
  const { stdout } = await runMsgctl(merchant, { cwd: folder.parent });
  expect(JSON.parse(stdout)).toMatchObject({ usage: { smsUsed: ROWS } });
  return new Map(own.map(({ to, messageId }) => [to, messageId]));
}

it("sends each row once, though it is killed again and again", async () => {
  const list = await listOf("killed", 214);
  const told: Outcome[] = [];
  for (const outcomeCount of [1, 8, 3, 31, 60, 17, 40]) {
    const killed = await endAfter(outcomeCount, list, "SIGKILL");
    expect(killed.ended).toBe("SIGKILL");
    told.push(...killed.told);
  }
  const interrupted = await endAfter(10, list, "SIGINT");
  expect(interrupted.ended).toBe(130);
  told.push(...interrupted.told);
  const last = await runToItsEnd(list);
  expect(last).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(`${ROWS} rows: ${ROWS} done`) });
  told.push(...last.told);

  const messages = await expectEachOnce(list, 214);
  // What was told is known for good: no run tells it again.
  expect(new Set(told.map(({ row }) => row)).size).toBe(told.length);
  for (const { row, ok, data } of told) expect([ok, data.messageId]).toEqual([true, messages.get(to(row - 1, 214))]);
  expect(await runToItsEnd(list)).toMatchObject({ exitCode: 0, told: [] });
}, 120_000);

it("sends each row once, though the journal is lost with the process", async () => {
  const list = await listOf("lost", 216);
  expect((await endAfter(100, list, "SIGKILL")).ended).toBe("SIGKILL");
  rmSync(journals, { recursive: true });
  const { exitCode, told } = await runToItsEnd(list);
  expect([exitCode, told.length]).toEqual([0, ROWS]);
  await expectEachOnce(list, 216);
}, 120_000);

it("sends what the journal has torn off no second time", async () => {
  const list = await listOf("torn", 217);
  const before = new Set(readdirSync(journals));
  expect((await endAfter(50, list, "SIGKILL")).ended).toBe("SIGKILL");
  const journal = join(journals, readdirSync(journals).find((name) => !before.has(name)) ?? "");
  const content = readFileSync(journal);
  writeFileSync(journal, content.subarray(0, content.length - 20));
  expect((await runToItsEnd(list)).exitCode).toBe(0);
  await expectEachOnce(list, 217);
}, 120_000);

it("imports consents, and leaves those that are refused beside them", async () => {
  const answers =
    "contact,channel,status\n+12145550100,SMS,OPT_IN\nnobody,SMS,OPT_IN\ndana@patients.example,EMAIL,OPT_OUT\n";
  writeFileSync(join(folder.parent, "answers.csv"), answers);
  const argv = ["consent", "import", "answers.csv", "--set", "merchantId=demo-merchant"];
  await listOf("demo-merchant", 218);
  const { exitCode, stderr } = await runMsgctl(argv, { cwd: folder.parent });
  expect([exitCode, stderr]).toEqual([8, expect.stringContaining("3 rows: 2 done, 1 failed, 0 open.")]);
  const [header, row] = readFileSync(join(folder.parent, "answers.failed.csv"), "utf8").split("\n");
  expect(header).toBe("contact,channel,status,error code,error message");
  expect(row).toMatch(/^nobody,SMS,OPT_IN,\w+,/);
});
