// The built msgctl waits for a real msgd. The tests advance the server's clock, so that they need not wait themselves.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { msgctlPath, runMsgctl, type Start } from "./msgctl-process.ts";
import { MsgdFolder, type SharedServer } from "./msgd-process.ts";
import { sitAtMsgctl } from "./terminal.ts";

const isWindows = process.platform === "win32";
const CTRL_C = "\u0003";
const CLEAR_LINE = "\r\u001b[K";
const folder = new MsgdFolder();
let server: SharedServer;

beforeAll(async () => {
  server = await folder.shareDemo();
});
afterAll(() => folder.remove());

async function control(path: string, body: object): Promise<void> {
  const response = await fetch(`${server.baseUrl}/control/${path}`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  });
  expect([path, response.ok]).toEqual([path, true]);
}

const advance = (by: string) => control("clock", { advance: by });
const run = (args: readonly string[], start: Omit<Start, "cwd"> = {}) =>
  runMsgctl(args, { cwd: folder.parent, ...start });

async function succeed(args: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run([...args, "--quiet", "-o", "json"]);
  expect([args, exitCode, stderr]).toEqual([args, 0, ""]);
  return stdout;
}

const HEARD = "+12025550100";
/** A number whose provider never reports an outcome. Calls to it are given up after 72 hours. */
const LOST = "+12025550102";
const create = (...numbers: string[]) => [
  ...["tts", "create", "--merchant-id", "demo", "--message-text", "Hello.", "--use-case", "OTP", "-y"],
  ...numbers.flatMap((number) => ["--to-numbers", number]),
];
/** The error on standard error, after any other output. */
const errorOf = (stderr: string) => JSON.parse(stderr.slice(stderr.indexOf("{")));

describe("tts create --wait", () => {
  it("waits for a single call as for a batch, and prints the totals", async () => {
    const { exitCode, stdout, stderr } = await run([...create(HEARD), "--wait", "-o", "json"]);
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(/^Accepted as batchId \d+; waiting for it to finish\.\n$/),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "COMPLETED", totalCalls: 1, success: 1 });
  });

  it.each([
    ["at the deadline", 10, "wait_deadline", "1", undefined],
    ["when it is interrupted", 130, "interrupted", "600", "SIGINT"],
    ["when it is terminated", 143, "interrupted", "600", "SIGTERM"],
  ] as const)(
    "%s it prints the batch's id, with which another command can wait",
    async (_, exitCode, code, seconds, signal) => {
      const steps: Start["steps"] = signal && [["Accepted as batchId", (send) => send(signal)]];
      const ended = await run([...create(LOST), "--wait", "--wait-timeout", seconds, "-o", "json"], steps && { steps });
      expect([ended.exitCode, ended.stdout]).toEqual([exitCode, ""]);
      const error = errorOf(ended.stderr);
      const { batchId } = error.created;
      expect(error).toMatchObject({ code, hints: [`Check it again with \`msgctl tts watch ${batchId}\`.`] });
      await advance("80h");
      const watched = await run(["tts", "watch", batchId, "-o", "json", "--quiet"]);
      expect([watched.exitCode, JSON.parse(watched.stdout)]).toEqual([
        8,
        expect.objectContaining({ batchId, failed: 1 }),
      ]);
    },
  );
});

describe("alerts tail", () => {
  const tail = ["alerts", "tail", "--interval", "0.2", "--merchant-id", "demo", "-o", "jsonl"];

  it("prints an alert when it is raised, and again with --since", async () => {
    const { exitCode, stdout } = await run([...tail, "--count", "1", "-v"], {
      steps: [
        [
          "< HTTP 200",
          async () => {
            for (let sent = 0; sent < 5; sent++)
              await succeed([
                ...["send", "sms", "--merchant-id", "demo", "--to", "+12025550120", "--message", "Hello"],
                ...["--type", "OTP", "-y"],
              ]);
          },
        ],
      ],
    });
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ alertType: "PROVIDER_FAILURE" })]);
    const again = await run([...tail, "--since", "2026-01-01", "--count", "1"]);
    expect([again.exitCode, again.stdout, again.stderr]).toEqual([0, stdout, ""]);
  });

  it("exits when nobody reads its output any more", async () => {
    const ended = await run([...tail, "--since", "2026-01-01", "--wait-timeout", "15", "--count", "9"], {
      isStdoutClosed: true,
    });
    expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
  });
});

describe("consent check", () => {
  const record = (contact: string, channel: string, status: string) =>
    succeed([
      ...["consent", "record", "--merchant-id", "demo", "--channel", channel, "--contact", contact, "--status", status],
    ]);

  it.skipIf(isWindows)("is usable as a condition in a shell", async () => {
    const script = `if "$0" "$1" consent check +12125550188 --merchant-id demo --channel SMS --quiet >/dev/null 2>&1
      then echo yes; else echo "no, $?"; fi`;
    const program = ["sh", "-c", script, process.execPath, msgctlPath] as const;
    expect((await run([], { program })).stdout).toBe("no, 8\n");
    await record("+12125550188", "SMS", "OPT_IN");
    expect((await run([], { program })).stdout).toBe("yes\n");
  });
});

describe.skipIf(isWindows)("msgctl at a terminal (Windows has no pty that Python could open)", () => {
  const sit = (args: readonly string[], steps: readonly (readonly [string, string])[]) =>
    sitAtMsgctl(args, { cwd: folder.parent, steps });

  it("shows the progress of a batch on one line, and clears it for the error at Ctrl-C", async () => {
    const { batchId } = JSON.parse(await succeed(create(LOST)));
    const left = await sit(["tts", "watch", batchId], [["IN_PROGRESS: 0 of 1 over (0 %)", CTRL_C]]);
    expect([left.exitCode, left.stdout, left.unmet]).toEqual([130, "", []]);
    const [before, shown, ...rest] = left.screen.split(CLEAR_LINE);
    expect([before, shown]).toEqual(["", expect.stringMatching(/^[A-Z_]+: 0 of 1 over \(0 %\)/)]);
    expect(rest.at(-1)).toContain(`error: interrupted while batch ${batchId} was IN_PROGRESS;`);
    expect(left.screen).toContain(`msgctl tts watch ${batchId}`);
  });

  it("asks to confirm the cost, shows the wait on a separate line, and says how to skip the question", async () => {
    const args = create(HEARD).filter((word) => word !== "-y" && word !== "--use-case" && word !== "OTP");
    const left = await sit(
      [...args, "--wait", "-o", "json"],
      [
        ["? use-case", "OTP\r"],
        ["Go ahead?", "y\r"],
        ["waiting for it to finish.", ""],
      ],
    );
    expect([left.exitCode, left.unmet]).toEqual([0, []]);
    expect(JSON.parse(left.stdout)).toMatchObject({ status: "COMPLETED" });
    const shown = left.screen.split(CLEAR_LINE);
    expect(shown.at(-1)).toBe("");
    expect(shown.at(-2)).toMatch(/^COMPLETED, totalCalls 1, success 1, totalCost [\d.]+ USD \(\d+ s\)$/);
    expect(left.screen).toMatch(/\n {2}msgctl tts create .* --wait\r\n/);
  });
});
