// Sends lists with the built msgctl through a real msgd. Runs are killed and repeated: each row is sent once, and none is lost.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { msgctlPath, runMsgctl } from "./msgctl-process.ts";
import { MsgdFolder, type SharedServer } from "./msgd-process.ts";
import { sitAtMsgctl } from "./terminal.ts";

/** Number of rows of the lists whose run is killed or stopped, and of the other lists. */
const KILLED_ROWS = 1000;
const ROWS = 300;
const folder = new MsgdFolder();
let server: SharedServer;

beforeAll(async () => {
  server = await folder.shareDemo();
  // Slow enough that calls are in progress at each kill.
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

/** Creates a merchant and a list for one test, so that tests do not share messages. */
async function listOf(merchantId: string, areaCode: number, rowCount = ROWS): Promise<string> {
  const upsert = ["merchants", "upsert", "--merchant-id", merchantId, "--display-name", merchantId];
  const { exitCode, stderr } = await runMsgctl([...upsert, "--sms-limit", String(2 * rowCount)], {
    cwd: folder.parent,
  });
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  const rows = Array.from({ length: rowCount }, (_, index) => `${to(index, areaCode)},"Message ${index}, once"\r\n`);
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

/** Starts a run, and calls `act` after `outcomeCount` outcomes. Returns the outcomes, and how the run ended. */
async function actAfter(outcomeCount: number, list: string, act: (child: ChildProcess) => unknown) {
  const child = spawn(process.execPath, [msgctlPath, ...bulk(list)], {
    cwd: folder.parent,
    env: { PATH: process.env.PATH, HOME: folder.parent, USERPROFILE: folder.parent },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told: Outcome[] = [];
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once("close", (exitCode, endedBy) => resolve(exitCode ?? endedBy));
  });
  for await (const line of createInterface({ input: child.stdout })) {
    // The kill may cut off the last line.
    if (!line.endsWith("}")) continue;
    told.push(JSON.parse(line) as Outcome);
    if (told.length === outcomeCount) await act(child);
  }
  return { told, ended: await ended, stderr };
}

const endAfter = (outcomeCount: number, list: string, signal: NodeJS.Signals) =>
  actAfter(outcomeCount, list, (child) => child.kill(signal));

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

/** Expects that each row was sent once, by the provider's ledger and the merchant's charges. */
async function expectEachOnce(list: string, areaCode: number, rowCount = ROWS): Promise<Map<string, string>> {
  await control("POST", "clock", { advance: "10m" });
  const messages = (await control("GET", "messages?limit=1000")) as Message[];
  const own = messages.filter((message) => message.to.startsWith(`+1${areaCode}4`));
  const expected = Array.from({ length: rowCount }, (_, index) => to(index, areaCode));
  expect(own.map((message) => message.to).sort()).toEqual(expected);
  expect(new Set(own.map(({ providerSends }) => providerSends))).toEqual(new Set([1]));
  const merchant = ["merchants", "get", list.replace(".csv", ""), "-o", "json"];
  const { stdout } = await runMsgctl(merchant, { cwd: folder.parent });
  expect(JSON.parse(stdout)).toMatchObject({ usage: { smsUsed: rowCount } });
  return new Map(own.map(({ to, messageId }) => [to, messageId]));
}

/** Number of outcomes after which each run is killed. Together the kills reach from the first row almost to the last. */
const KILLS = [1, 2, 60, 7, 80, 3, 35, 110, 1, 20, 70, 9, 45, 95, 5, 25, 120, 11, 60, 80];

/** Removes the killed run's lock, so that the next run does not wait until it detects that the owner is dead. */
function removeLocks(): void {
  for (const name of readdirSync(journals, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".locked")) rmSync(join(journals, name), { recursive: true });
}

// twenty-two processes one after the other: a minute alone, and minutes on a busy machine
it("msgctl sends each of 1 000 rows once although it is killed twenty times", async () => {
  const list = await listOf("killed", 214, KILLED_ROWS);
  const told: Outcome[] = [];
  const placesOfKills: number[] = [];
  for (const outcomeCount of KILLS) {
    const killed = await endAfter(outcomeCount, list, "SIGKILL");
    expect(killed.ended).toBe("SIGKILL");
    told.push(...killed.told);
    placesOfKills.push(told.length);
    if (placesOfKills.length > 1) removeLocks();
  }
  expect(placesOfKills[0]).toBeLessThan(KILLED_ROWS / 10);
  expect(placesOfKills.at(-1)).toBeGreaterThan(0.8 * KILLED_ROWS);
  const interrupted = await endAfter(10, list, "SIGINT");
  expect(interrupted.ended).toBe(130);
  told.push(...interrupted.told);
  const last = await runToItsEnd(list);
  const summary = "1,000 rows: 1,000 done";
  expect(last).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(summary) });
  told.push(...last.told);

  const messages = await expectEachOnce(list, 214, KILLED_ROWS);
  // A reported outcome is final: no other run reports it again.
  expect(new Set(told.map(({ row }) => row)).size).toBe(told.length);
  for (const { row, ok, data } of told) expect([ok, data.messageId]).toEqual([true, messages.get(to(row - 1, 214))]);
  expect(await runToItsEnd(list)).toMatchObject({ exitCode: 9, told: [] });
});

it.skipIf(process.platform === "win32")("msgctl stops gracefully on SIGHUP at a terminal, and resumes", async () => {
  const list = await listOf("closed", 227);
  const closed = await sitAtMsgctl(bulk(list), { cwd: folder.parent, steps: [["of 300 rows", "SIGHUP"]] });
  // msgctl ended by the signal itself, which a shell shows as 129
  expect([closed.exitCode, closed.unmet]).toEqual([-1, []]);
  expect(closed.screen).toMatch(/300 rows: \d+ done, 0 failed, \d+ open\./);
  expect(closed.screen).toContain("Run the same command again");
  expect(await runToItsEnd(list)).toMatchObject({ exitCode: 0 });
  await expectEachOnce(list, 227);
});

it("msgctl reads a list from the path of a pipe, such as <(…) or /dev/stdin", async () => {
  const list = "merchantId,to,message,type\ndemo,+12025550100,Hello,OTP\n";
  const run = (command: string) =>
    runShell(`${command.replace("msgctl", `"${process.execPath}" "${msgctlPath}"`)}`, { LIST: list });
  for (const command of [
    `msgctl send bulk <(printf %s "$LIST") --channel SMS --dry-run -o json`,
    `printf %s "$LIST" | cat | msgctl send bulk /dev/stdin --channel SMS --dry-run -o json`,
  ])
    expect(JSON.parse(await run(command))).toMatchObject({ rows: 1, segments: 1 });
});

async function runShell(command: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)("bash", ["-c", command], {
    ...{ cwd: folder.parent, env: { PATH: process.env.PATH, HOME: folder.parent, ...env } },
  });
  return stdout;
}
