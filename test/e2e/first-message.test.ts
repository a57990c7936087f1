// Pastes commands that msgd and msgctl print for a newcomer into a shell, unchanged, and runs them against a real server.

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { cleanEnvironment, type Ended, runMsgctl } from "./msgctl-process.ts";
import { MsgdFolder, type SharedServer } from "./msgd-process.ts";

const bin = fileURLToPath(new URL("../../bin/", import.meta.url));
const folder = new MsgdFolder();
let server: SharedServer;
beforeAll(async () => {
  server = await folder.shareDemo();
  // npx finds packages that are installed in this folder
  mkdirSync(join(folder.parent, "bin"));
  for (const [name, program] of [
    ["msgctl", `"${bin}msgctl"`],
    ["npx", `"${bin}$program"`],
  ] as const) {
    const file = join(folder.parent, "bin", name);
    const take = name === "npx" ? 'program="$1"; shift\n' : "";
    writeFileSync(file, `#!/bin/sh\n${take}exec "${process.execPath}" ${program} "$@"\n`);
    chmodSync(file, 0o755);
  }
});
afterAll(() => folder.remove());

function paste(lines: string): Promise<Ended> {
  const clean = cleanEnvironment(folder.parent);
  const env = { ...clean, PATH: `${join(folder.parent, "bin")}:${clean.PATH}` };
  return runMsgctl(["--norc", "-eu", "-c", lines], { cwd: folder.parent, program: ["bash"], env });
}

async function pasteWell(lines: string): Promise<string> {
  const { exitCode, stdout, stderr } = await paste(lines);
  expect({ lines, exitCode, stderr }).toEqual({ lines, exitCode: 0, stderr: expect.any(String) });
  return stdout;
}

/** Runs a line that is refused. Returns the commands in its hints. */
async function curesOf(line: string, code: string): Promise<string[]> {
  const { exitCode, stderr } = await paste(line);
  expect([exitCode, stderr]).toEqual([code === "merchant_inactive" ? 3 : 4, expect.stringContaining(code)]);
  return [...stderr.matchAll(/`(msgctl [^`]+)`/g)].map(([, command = ""]) => command);
}

/** Finds the command that begins with these words. No hint may contain a placeholder. */
function cure(commands: readonly string[], words: string): string {
  for (const command of commands) expect(command).not.toMatch(/[<>]/);
  return commands.find((command) => command.startsWith(words)) ?? expect.fail(`${words} is not in ${commands}`);
}

const send = (merchantId: string, profile = "demo") =>
  `msgctl send sms --merchant-id ${merchantId} --to +12025550100 --message Hello --type OTP --profile ${profile}`;
const upsert = (merchantId: string, rest: string) =>
  pasteWell(`msgctl merchants upsert --merchant-id ${merchantId} ${rest} --profile demo`);

describe.skipIf(process.platform === "win32")("pasted unchanged,", () => {
  it("the commands that msgd prints at its start work, and the printed address serves its documentation", async () => {
    await vi.waitFor(() => expect(server.written).toContain("Ctrl-C stops the server."), 60_000);
    expect(server.written).toContain(`Documentation of every operation and error: ${server.baseUrl}/docs\n`);
    expect((await fetch(`${server.baseUrl}/docs`)).status).toBe(200);
    const commands = server.written.match(/^ {2}npx msgctl .*$/gm) ?? [];
    expect(commands).toHaveLength(3);
    for (const command of commands) await pasteWell(command);
  });

  it("the last command of msgd keys create sends a first message", async () => {
    const { tenantId } = folder.command<{ tenantId: string }>("tenants", "create", "Ada & Sons");
    const printed = execFileSync(process.execPath, [`${bin}msgd`, "keys", "create", "--tenant", tenantId], {
      ...{ cwd: folder.parent, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    });
    const [, steps = ""] = printed.split("A first message, while the server runs:\n");
    expect(steps.trim().split("\n")).toHaveLength(3);
    expect(await pasteWell(steps)).toMatch(/QUEUED/);
  });

  it("the last command of msgd keys create sends for a merchant's own key", async () => {
    const { tenantId } = folder.demoCredential;
    const args = ["keys", "create", "--tenant", tenantId, "--merchant", "demo"];
    const printed = execFileSync(process.execPath, [`${bin}msgd`, ...args], {
      ...{ cwd: folder.parent, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    });
    const [, steps = ""] = printed.split("A first message, while the server runs:\n");
    expect(await pasteWell(steps)).toMatch(/QUEUED/);
  });

  it.each([
    ["merchants upsert", "--sms-limit 100 "],
    ["billing upgrade", "--units 1 "],
  ])("the hint for spent credits of the demo restores units: msgctl %s", async (words, expected) => {
    await upsert("demo", '--display-name "Demo Bakery" --sms-limit 0 --sms-credits 0');
    const command = cure(await curesOf(send("demo"), "quota_exceeded"), `msgctl ${words}`);
    expect(command).toContain(expected);
    await pasteWell(command);
    // credits are added once they are paid for
    await vi.waitFor(async () => expect((await paste(send("demo"))).exitCode).toBe(0), 60_000);
    expect(await pasteWell("msgctl merchants get demo --profile demo -q displayName -o raw")).toBe("Demo Bakery\n");
  });

  it.each([
    ["SMS", "direct-sms --to +12025550100 --message Hello", "--sms"],
    ["EMAIL", "direct-email --to delivered@simulator.example --subject Hi --body Hello", "--email"],
  ])("the hint for spent credits of the direct sends restores units: %s", async (_, line, flag) => {
    await upsert("default", `--display-name Demo ${flag}-limit 0 ${flag}-credits 0`);
    const direct = `msgctl send ${line} --profile demo`;
    const commands = await curesOf(direct, "quota_exceeded");
    await pasteWell(cure(commands, "msgctl merchants upsert --merchant-id default"));
    await pasteWell(cure(commands, "msgctl billing upgrade --merchant-id default"));
    await pasteWell(direct);
  });

  it("the hints of a new merchant's first send give it a limit, for calls too", async () => {
    await upsert("new", '--display-name "Ada & \\$HOME"');
    const { stderr } = await paste(send("new"));
    expect(stderr).toContain("its smsLimit is 0, as every new merchant's is");
    await pasteWell(cure(await curesOf(send("new"), "quota_exceeded"), "msgctl merchants upsert"));
    await pasteWell(send("new"));
    const call = "msgctl send voice --merchant-id new --to +12025550100 --text Hello --type OTP --profile demo";
    await pasteWell(cure(await curesOf(call, "quota_exceeded"), "msgctl merchants upsert"));
    await pasteWell(call);
    expect(await pasteWell("msgctl merchants get new --profile demo -q displayName -o raw")).toBe("Ada & $HOME\n");
  });

  it("the hint for a batch without minutes left buys minutes", async () => {
    await upsert("silent", "--display-name Silent");
    const batch =
      "msgctl tts create --merchant-id silent --to-number +12025550100 --message-text Hello --use-case OTP --profile demo";
    const refused = await paste(batch);
    expect(refused.exitCode).toBe(4);
    const commands = await curesOf(
      batch,
      refused.stderr.includes("all_recipients_refused") ? "all_recipients_refused" : "quota_exceeded",
    );
    await pasteWell(cure(commands, "msgctl billing upgrade"));
    await vi.waitFor(async () => expect((await paste(batch)).exitCode).toBe(0), 60_000);
  });

  it("the hint for an unknown merchant creates one", async () => {
    await pasteWell(cure(await curesOf(send("nobody"), "merchant_not_found"), "msgctl merchants upsert"));
    expect(await curesOf(send("nobody"), "quota_exceeded")).not.toEqual([]);
  });

  it("the hint for an inactive merchant activates it, under its own name", async () => {
    await upsert("asleep", `--display-name "Sleepy's" --sms-limit 10`);
    await upsert("asleep", `--display-name "Sleepy's" --no-active`);
    await pasteWell(cure(await curesOf(send("asleep"), "merchant_inactive"), "msgctl merchants upsert"));
    await pasteWell(send("asleep"));
    await upsert("asleep", `--display-name "Sleepy's" --no-active`);
    const { exitCode, stderr } = await paste("msgctl registration wait asleep --profile demo");
    const [, command = ""] = /`(msgctl merchants upsert [^`]+)`/.exec(stderr) ?? [];
    expect([exitCode, command]).toEqual([8, expect.stringContaining("Sleepy")]);
    await pasteWell(command);
    await pasteWell(send("asleep"));
    expect(await pasteWell("msgctl merchants get asleep --profile demo -q displayName -o raw")).toBe("Sleepy's\n");
  });

  it("the hint of msgd for a key of an unknown merchant creates that merchant", async () => {
    const { tenantId } = folder.demoCredential;
    const create = `"${process.execPath}" "${bin}msgd" keys create --tenant ${tenantId} --merchant salon`;
    const { exitCode, stderr } = await paste(create);
    const [, command = ""] = /(msgctl merchants upsert .*)$/m.exec(stderr) ?? [];
    expect([exitCode, command]).toEqual([1, expect.stringContaining("--merchant-id salon")]);
    await pasteWell(`${command} --profile demo`);
    await pasteWell(create);
  });

  it("a callback may go to this machine, but not to other hosts", async () => {
    const call = (url: string) =>
      `msgctl tts create --merchant-id demo --to-number +12025550100 --message-text Hello --use-case OTP --callback-url ${url} --profile demo`;
    await pasteWell(call("http://127.0.0.1:4811/"));
    const { exitCode, stderr } = await paste(call("http://10.0.0.1/"));
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining("--allow-private-callbacks")]);
  });
});
