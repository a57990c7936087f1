// The built msgctl at a real terminal: its questions, the resulting request, and its output on each stream.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { msgctlPath, runMsgctl } from "./msgctl-process.ts";
import { MsgdFolder, type SharedServer } from "./msgd-process.ts";
import { type Left, type Sitting, type Step, sitAtMsgctl } from "./terminal.ts";

// Python opens the terminals of these tests, and cannot do so on Windows
const isWindows = process.platform === "win32";
const ENTER = "\r";
const DOWN = "\u001b[B";
const BACKSPACE = "\u007f";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const SHOW_CURSOR = "\u001b[?25h";
const folder = new MsgdFolder();
let server: SharedServer;

beforeAll(async () => {
  server = await folder.shareDemo();
});
afterAll(() => folder.remove());

function sit(args: readonly string[], steps: readonly Step[], more: Partial<Sitting> = {}): Promise<Left> {
  return sitAtMsgctl(args, { cwd: folder.parent, steps, ...more });
}

/** Counts the messages to a phone number that the server accepted. */
async function takenFor(to: string): Promise<number> {
  const reply = await fetch(`${server.baseUrl}/control/messages?to=${encodeURIComponent(to)}`);
  expect(reply.status).toBe(200);
  return ((await reply.json()) as unknown[]).length;
}

const sms = (to: string) => ["send", "sms", "--merchant-id", "demo", "--to", to, "--message", "Hello", "--type", "OTP"];
const yes: Step = ["Go ahead?", `y${ENTER}`];

describe.skipIf(isWindows)("msgctl at a terminal", () => {
  const to = "+12025550111";

  it("asks for missing values, sends the request, and keeps standard output for data", async () => {
    const left = await sit(
      ["send", "sms", "--message", "Hello", "-o", "json"],
      [
        ["another …", DOWN + ENTER],
        ["? to", `${to.slice(1)}${ENTER}`],
        ["Expected a phone number in E.164 form", `${BACKSPACE.repeat(to.length - 1)}${to}${ENTER}`],
        ["? type", `${DOWN.repeat(3)}${ENTER}`],
        yes,
      ],
    );
    expect([left.exitCode, left.unmet]).toEqual([0, []]);
    expect(JSON.parse(left.stdout)).toMatchObject({ merchantId: "demo", channel: "SMS", status: "QUEUED" });
    expect(left.stdout).not.toContain("\u001b");
    expect(left.screen).toContain("This is charged to the account.");
    expect(left.screen).not.toContain("QUEUED");
    expect(await takenFor(to)).toBe(1);

    const line = /^ {2}msgctl (send sms .*)\r$/m.exec(left.screen)?.[1] ?? "";
    expect(line).toContain(`--to ${to} --message Hello --type TRANSACTIONAL`);
    const repeated = await runMsgctl([], {
      cwd: folder.parent,
      program: ["sh", "-c", `"$0" "$1" ${line}`, process.execPath, msgctlPath],
    });
    expect([repeated.exitCode, repeated.stderr]).toEqual([0, ""]);
    expect(await takenFor(to)).toBe(2);
  });

  it("shows the data on the terminal if standard output is the terminal", async () => {
    const left = await sit(["merchants", "get", "--columns", "merchantId"], [["another …", DOWN + ENTER]], {
      stdout: "terminal",
    });
    expect([left.exitCode, left.stdout]).toEqual([0, ""]);
    expect(left.screen).toMatch(/merchantId.* {2}demo\r\n$/);
  });

  it.each([
    ["Ctrl-C", CTRL_C],
    ["Ctrl-D", CTRL_D],
    ["an interrupting signal", "SIGINT"],
  ])("ends a question on %s, and shows the cursor again", async (_, keys) => {
    const left = await sit(
      ["send", "sms", "--merchant-id", "demo"],
      [
        ["? to", `+12025550130${ENTER}`],
        ["? message", `Hello${ENTER}`],
        ["? type", keys],
      ],
    );
    expect([left.exitCode, left.stdout, left.unmet]).toEqual([130, "", []]);
    expect(left.screen).toContain("interrupted; nothing was sent");
    expect(left.screen.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(left.screen.lastIndexOf("\u001b[?25l"));
    expect(await takenFor("+12025550130")).toBe(0);
  });

  it("asks nothing if -y and all required flags are given, and shows a spinner while it waits", async () => {
    const fault = { operation: "sendSms", latencyMs: 1500 };
    const planned = await fetch(`${server.baseUrl}/control/faults`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(fault),
    });
    expect(planned.ok).toBe(true);
    const left = await sit([...sms("+12025550140"), "-y"], []);
    expect([left.exitCode, left.stdout]).toEqual([0, expect.stringContaining("QUEUED")]);
    expect(left.screen).toMatch(
      /^\r\p{Cc}\[2K\| Send an SMS for a merchant \(1 s\)(.|\r)*\r\p{Cc}\[2KIdempotency key /u,
    );
  });
});

describe.skipIf(isWindows)("msgctl at a terminal, with the user's pager or browser,", () => {
  const list = (env: Record<string, string>) =>
    sit(["merchants", "list", "--columns", "merchantId"], [], { stdout: "terminal", rows: 3, env });

  it("shows a list longer than the screen in the pager, in the format of the terminal", async () => {
    const { exitCode, screen } = await list({ MSGCTL_PAGER: "sed 's/^/paged: /'" });
    expect([exitCode, screen]).toEqual([0, expect.stringContaining("paged: merchantId\r\npaged: ")]);
    expect(await list({ MSGCTL_PAGER: "head -1" })).toMatchObject({ exitCode: 0, screen: "merchantId\r\n" });
    for (const pager of ["", "no-such-pager 2>&-"]) {
      const printed = await list({ MSGCTL_PAGER: pager });
      expect([printed.exitCode, printed.screen]).toEqual([0, expect.stringContaining("demo\r\n")]);
    }
  });

  it("opens a page in the browser, which receives the address as one argument", async () => {
    const browser = join(folder.parent, "browser");
    writeFileSync(browser, '#!/bin/sh\nprintf "%s|" "$@" > opened\n', { mode: 0o755 });
    const argv = ["open", "messages", "$(touch bad)"];
    const opened = await sit(argv, [], { stdout: "terminal", env: { BROWSER: browser } });
    expect([opened.exitCode, opened.screen]).toEqual([0, expect.stringContaining("in the browser")]);
    const url = `${server.baseUrl}/dashboard/messages/%24(touch%20bad)`;
    // msgctl waits for at most 2 s for the browser
    await expect.poll(() => readFileSync(join(folder.parent, "opened"), "utf8")).toBe(`${url}|`);
    const printed = await sit(argv, [], { stdout: "terminal", env: { BROWSER: join(folder.parent, "none") } });
    expect([printed.exitCode, printed.screen]).toEqual([0, `${url}\r\n`]);
  });
});

describe("the bundle", () => {
  const dist = fileURLToPath(new URL("../../packages/cli/dist/", import.meta.url));
  const files = new Map(readdirSync(dist).map((name) => [name, readFileSync(join(dist, name), "utf8")]));
  const asking = [...files].filter(([, text]) => text.includes("AbortPromptError"));

  it("contains inquirer once, without its editor", () => {
    expect(asking).toHaveLength(1);
    expect(asking[0]?.[1].length).toBeLessThan(40_000);
  });
});
