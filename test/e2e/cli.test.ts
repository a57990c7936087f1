// The built msgctl against a real msgd: its output on each stream, and its exit codes.

import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exampleProvisioning } from "../../packages/server/src/testing/provisioning-example.ts";
import { type Ended, msgctlPath, runMsgctl, type Start } from "./msgctl-process.ts";
import { type Credential, MsgdFolder, type SharedServer } from "./msgd-process.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const isWindows = process.platform === "win32";
const sms = ["send", "sms", "--merchant-id", "demo", "--message", "Hello", "--type", "OTP"];
const delivered = [...sms, "--to", "+12025550100"];

const folder = new MsgdFolder();
/** All output of msgctl, and the secrets that must not be in it. */
const everything: string[] = [];
const secrets: string[] = ["canary-key", "canary-secret"];
let server: SharedServer;
let demo: Credential;

beforeAll(async () => {
  server = await folder.shareDemo();
  demo = folder.demoCredential;
  secrets.push(demo.apiKey, demo.apiSecret);
});
afterAll(() => folder.remove());

/** Returns the command line with another value for one of its flags. */
function replaced(argv: readonly string[], flag: string, value: string): string[] {
  return argv.with(argv.indexOf(flag) + 1, value);
}

/** Runs msgctl beside the demo server. */
async function msgctl(args: readonly string[], start: Partial<Start> = {}): Promise<Ended> {
  const ended = await runMsgctl(args, { cwd: folder.parent, ...start });
  everything.push(ended.stdout, ended.stderr);
  return ended;
}

/** Runs a command that must succeed, and returns its JSON. */
async function json<Result>(...args: string[]): Promise<Result> {
  const { exitCode, stdout, stderr } = await msgctl([...args, "-o", "json"]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Result;
}

/** Runs a command that must fail, and returns its error as JSON. */
async function failure(args: readonly string[], start?: Partial<Start>) {
  const { exitCode, stdout, stderr } = await msgctl([...args, "-o", "json"], start);
  expect(stdout).toBe("");
  const error = JSON.parse(stderr) as {
    code: string;
    hints: string[];
    exitCode: number;
    idempotencyKey: string | null;
  };
  expect(error.exitCode).toBe(exitCode);
  return error;
}

describe("msgctl, on success,", () => {
  it("shows a sent SMS as a table and as JSON, and nothing else", async () => {
    const shown = await msgctl(delivered);
    expect([shown.exitCode, shown.stderr]).toEqual([0, ""]);
    expect(shown.stdout).toMatch(
      /^messageId {3}msg_[0-9A-Z]{26}\nstatus {6}QUEUED\nmerchantId {2}demo\nchannel {5}SMS\n$/,
    );
    expect(await json(...delivered)).toEqual({
      ...{ merchantId: "demo", channel: "SMS", status: "QUEUED" },
      messageId: expect.stringMatching(/^msg_[0-9A-Z]{26}$/),
    });
  });

  it("learns the tenant from a reply, shows no SIP passwords, and refuses a key without that permission", async () => {
    const { messageId } = await json<{ messageId: string }>(...delivered);
    const provisioning = exampleProvisioning(Number(demo.tenantId));
    const passwords = provisioning.sipUsers.map(({ password }) => password);
    expect(passwords.length).toBeGreaterThan(0);
    const file = join(folder.parent, "provisioning.json");
    writeFileSync(file, JSON.stringify(provisioning), { mode: 0o600 });
    folder.command("provisioning", "import", file, "--tenant", demo.tenantId);
    const reply = ["simulator", "reply", "--message-id", messageId, "--reply-body", "Thanks"];
    const traced = await msgctl([...reply, "-v", "-o", "json", "--show-secrets"]);
    expect([traced.exitCode, JSON.parse(traced.stdout)]).toEqual([0, expect.objectContaining({ status: "RECEIVED" })]);
    expect(traced.stderr).toMatch(/> GET \S+\/voice\/provisioning\n[\s\S]*> POST \S+\/simulator\/reply\n/);
    for (const password of passwords) expect(traced.stdout + traced.stderr).not.toContain(password);

    const { apiKey, apiSecret } = folder.createKey(demo.tenantId, "demo");
    secrets.push(apiKey, apiSecret);
    const env = { MSGCTL_API_KEY: apiKey, MSGCTL_API_SECRET: apiSecret, MSGCTL_BASE_URL: server.baseUrl };
    const refused = await msgctl([...reply, "-o", "json"], { env });
    expect([refused.exitCode, JSON.parse(refused.stderr)]).toEqual([
      3,
      expect.objectContaining({
        code: "merchant_scope_denied",
        message: expect.stringContaining("--tenant-id is missing, and could not be read"),
        hints: [expect.stringMatching(/^Give --tenant-id\..* `msgctl provisioning show -q tenantId` /)],
      }),
    ]);
    const given = await msgctl([...reply, "--tenant-id", demo.tenantId, "-o", "json"], { env });
    expect([given.exitCode, JSON.parse(given.stdout)]).toEqual([0, expect.objectContaining({ status: "RECEIVED" })]);
  });

  it("starts through a symbolic link, and when npm has installed it", async ({ skip }) => {
    if (isWindows) skip("links need a privilege on Windows, and npm writes .cmd files there");
    const linked = join(folder.parent, "mctl");
    symlinkSync(msgctlPath, linked);
    for (const path of [msgctlPath, linked, join(root, "node_modules/.bin/msgctl")]) {
      const ended = await msgctl(["merchants", "get", "demo", "-o", "json"], { program: [path] });
      expect([path, ended.exitCode, ended.stderr]).toEqual([path, 0, ""]);
      expect(JSON.parse(ended.stdout)).toMatchObject({ merchantId: "demo" });
    }
  });
});

describe("a refusal by the service", () => {
  it("names the command that records a missing consent", async () => {
    const marketing = [...replaced(sms, "--type", "MARKETING"), "--to", "+12125550100", "--profile", "demo"];
    const { code, hints } = await failure(marketing);
    expect(code).toBe("consent_required");
    const command = /`msgctl (.*)`/.exec(hints.join())?.[1];
    expect(command).toContain("--channel SMS --contact +12125550100 --status OPT_IN --profile demo");
    await json(...(command?.split(" ") ?? []));
    await json(...marketing);
  });
});

describe("a refusal by msgctl", () => {
  it("has exit code 3 without a credential and without a demo server in this folder", async () => {
    const cwd = mkdtempSync(join(folder.parent, "elsewhere-"));
    expect((await failure(["merchants", "list"], { cwd })).code).toBe("credentials_missing");
    const { hints, ...error } = await failure(["merchants", "list", "--profile", "demo"], { cwd });
    expect(error).toMatchObject({ code: "demo_missing", exitCode: 3 });
    expect(hints.join()).toContain("npm start");
  });
});

describe("msgctl", () => {
  it("exits without an error if nobody reads its output", async () => {
    for (const argv of [["--help"], ["consent", "list", "-o", "json"], ["send", "sms", "--help"]]) {
      const ended = await msgctl(argv, { isStdoutClosed: true });
      expect([argv, ended.exitCode, ended.stderr]).toEqual([argv, 0, ""]);
    }
  });

  it("works in a pipeline that stops reading, and without standard input", async ({ skip }) => {
    if (isWindows) skip("needs a POSIX shell");
    const shell = (script: string) => msgctl([], { program: ["sh", "-c", script, process.execPath, msgctlPath] });
    const head = await shell('"$0" "$1" consent list -o json | head -1');
    expect(head).toEqual({ exitCode: 0, stdout: "[\n", stderr: "" });
    const noStdin = await shell('"$0" "$1" merchants get demo --columns merchantId <&-');
    expect(noStdin).toEqual({ exitCode: 0, stdout: "merchantId  demo\n", stderr: "" });
  });

  it("reports that the output cannot be written", async ({ skip }) => {
    if (process.platform !== "linux") skip("needs /dev/full");
    const script = '"$0" "$1" merchants list > /dev/full';
    const ended = await msgctl([], { program: ["sh", "-c", script, process.execPath, msgctlPath] });
    expect([ended.exitCode, ended.stderr]).toEqual([1, expect.stringMatching(/^error: the output could not be .*\n$/)]);
  });
});

it("no output contains a secret", () => {
  expect(everything.length).toBeGreaterThan(30);
  for (const secret of secrets) expect(everything.filter((text) => text.includes(secret))).toEqual([]);
});
