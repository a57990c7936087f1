// The built msgctl waiting for a real msgd, whose clock the tests move: nobody waits for a review or a lost call.

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
/** Its provider never says what became of the call, until it is given up after 72 hours. */
const LOST = "+12025550102";
const create = (...numbers: string[]) => [
  ...["tts", "create", "--merchant-id", "demo", "--message-text", "Hello.", "--use-case", "OTP", "-y"],
  ...numbers.flatMap((number) => ["--to-numbers", number]),
];
/** What is on standard error before and beside the error. */
const errorOf = (stderr: string) => JSON.parse(stderr.slice(stderr.indexOf("{")));

describe("tts create --wait", () => {
  it("waits for a single call as for a batch, and prints its totals", async () => {
    const { exitCode, stdout, stderr } = await run([...create(HEARD), "--wait", "-o", "json"]);
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringMatching(/^Accepted as batchId \d+; waiting for it to finish\.\n$/),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ status: "COMPLETED", totalCalls: 1, success: 1 });
  });

  it("exits with 8 where calls fail, when they do", async () => {
    const { exitCode, stdout, stderr } = await run([...create(HEARD, LOST), "--wait", "-o", "json"], {
      steps: [["Accepted as batchId", () => advance("80h")]],
    });
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      8,
      expect.objectContaining({ status: "COMPLETED_WITH_ERRORS", success: 1, failed: 1 }),
    ]);
    expect(errorOf(stderr)).toMatchObject({ code: "work_failed", created: { batchId: JSON.parse(stdout).batchId } });
  });

  it.each([
    ["at the deadline", 10, "wait_deadline", "1", undefined],
    ["when it is interrupted", 130, "interrupted", "600", "SIGINT"],
    ["when it is terminated", 143, "interrupted", "600", "SIGTERM"],
  ] as const)("%s it leaves the batch's id, with which it goes on", async (_, exitCode, code, seconds, signal) => {
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
  });

  it("lives through a service that is away for a while", async () => {
    await control("faults", { operation: "getTtsBatchSummary", code: "internal_error", times: 2 });
    const { exitCode, stderr } = await run([...create(HEARD), "--wait"]);
    expect([exitCode, stderr.split("\n").slice(1)]).toEqual([
      0,
      [
        expect.stringMatching(/^The service does not respond at the moment \(.*\); trying again\.$/),
        "The service responds again.",
        "",
      ],
    ]);
  });
});

describe("tts watch", () => {
  it("prints each change as a line of JSON", async () => {
    const { batchId } = JSON.parse(await succeed(create(HEARD, LOST)));
    const { exitCode, stdout } = await run(["tts", "watch", batchId, "-o", "jsonl", "-v"], {
      steps: [
        ["< HTTP 200", () => {}],
        ["< HTTP 200", () => advance("80h")],
      ],
    });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(exitCode).toBe(8);
    expect(lines.length).toBeGreaterThan(1);
    expect(lines[0]).toMatchObject({ batchId, status: expect.stringMatching(/^(?:QUEUED|IN_PROGRESS)$/) });
    expect(lines.at(-1)).toMatchObject({ batchId, status: "COMPLETED_WITH_ERRORS" });
    expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(lines.length);
  });
});

describe("registration wait", () => {
  const wait = (steps?: Start["steps"]) => run(["registration", "wait", "demo", "-o", "json"], steps && { steps });

  it("follows a registration from its brand to its number, and says what nobody can wait for", async () => {
    const nothing = await wait();
    expect([nothing.exitCode, errorOf(nothing.stderr).code]).toEqual([8, "registration_stuck"]);
    await succeed([...["registration", "brand", "demo", "--legal-business-name", "Demo Bakery LLC", "-y"]]);
    const brand = await wait([["Not ready: BRAND_PENDING.", () => advance("2h")]]);
    expect([brand.exitCode, errorOf(brand.stderr).message]).toEqual([8, expect.stringContaining("CAMPAIGN_MISSING")]);
    const text = "We send codes and reminders to customers who asked for them at our counter or on our site.";
    const { id } = JSON.parse(
      await succeed([
        ...["registration", "campaign", "demo", "-y", "--use-case", "ACCOUNT_NOTIFICATION", "--description", text],
        ...["--message-flow", text, "--sample-messages", "Your order is ready for pickup.", "--sample-messages"],
        ...["Your table is booked for eight.", "--opt-in-keywords", "START", "--opt-out-keywords", "STOP"],
        ...["--help-keywords", "HELP", "--opt-in-message", "You are now subscribed to Demo Bakery."],
        ...["--opt-out-message", "You are unsubscribed from Demo Bakery."],
        ...["--help-message", "Demo Bakery: call +12025550100 for help."],
      ]),
    );
    const campaign = await wait([["Not ready: CAMPAIGN_PENDING.", () => advance("25h")]]);
    expect([campaign.exitCode, errorOf(campaign.stderr).message]).toEqual([
      8,
      expect.stringContaining("NUMBER_MISSING"),
    ]);
    const number = JSON.parse(
      await succeed([...["registration", "number", "demo", "--phone-number", "+12125550123", "--capabilities", "SMS"]]),
    );
    await succeed(["registration", "assign", "demo", String(number.id), "--campaign-id", String(id)]);
    const ready = await wait([["Not ready: NUMBER_ASSIGNMENT_PENDING.", () => advance("2h")]]);
    expect([ready.exitCode, JSON.parse(ready.stdout)]).toEqual([0, expect.objectContaining({ readyToSend: true })]);
    expect(ready.stderr).toBe("Not ready: NUMBER_ASSIGNMENT_PENDING.\nReady to send.\n");
  });
});

describe("alerts tail", () => {
  const tail = ["alerts", "tail", "--interval", "0.2", "--merchant-id", "demo", "-o", "jsonl"];

  it("prints an alert when it comes, and with --since again", async () => {
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

  it("ends when whoever reads it has gone", async () => {
    const ended = await run([...tail, "--since", "2026-01-01", "--wait-timeout", "15", "--count", "9"], {
      isStdoutClosed: true,
    });
    expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
  });

  it("ends on an interrupting signal with 130", async () => {
    const { exitCode, stdout } = await run([...tail, "-v"], { steps: [["< HTTP 200", (send) => send("SIGINT")]] });
    expect([exitCode, stdout]).toEqual([130, ""]);
  });
});

describe("consent check", () => {
  const record = (contact: string, channel: string, status: string) =>
    succeed([
      ...["consent", "record", "--merchant-id", "demo", "--channel", channel, "--contact", contact, "--status", status],
    ]);

  it.each([
    [0, "Mara@Bücher.example", "EMAIL", "OPT_IN"],
    [8, "MARA@bücher.EXAMPLE", "EMAIL", "OPT_OUT"],
    [0, "+12125550177", "VOICE", "OPT_IN"],
    [8, "+12125550177", "VOICE", "OPT_OUT"],
  ])("exits with %i for %s by %s after %s", async (exitCode, contact, channel, status) => {
    const { contact: kept } = JSON.parse(await record(contact, channel, status));
    const check = ["consent", "check", contact, "--merchant-id", "demo", "--channel", channel, "-o", "json"];
    const ended = await run(check);
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([
      exitCode,
      expect.objectContaining({ contact: kept, channel, status, optedIn: exitCode === 0 }),
    ]);
  });

  it.skipIf(isWindows)("is a condition of a shell", async () => {
    const script = `if "$0" "$1" consent check +12125550188 --merchant-id demo --channel SMS --quiet >/dev/null 2>&1
      then echo yes; else echo "no, $?"; fi`;
    const program = ["sh", "-c", script, process.execPath, msgctlPath] as const;
    expect((await run([], { program })).stdout).toBe("no, 8\n");
    await record("+12125550188", "SMS", "OPT_IN");
    expect((await run([], { program })).stdout).toBe("yes\n");
  });
});

describe.skipIf(isWindows)("at a terminal (Windows has no pty that Python could open)", () => {
  const sit = (args: readonly string[], steps: readonly (readonly [string, string])[]) =>
    sitAtMsgctl(args, { cwd: folder.parent, steps });

  it("shows how far a batch is on one line, and leaves it clean for the error at Ctrl-C", async () => {
    const { batchId } = JSON.parse(await succeed(create(LOST)));
    const left = await sit(["tts", "watch", batchId], [["IN_PROGRESS: 0 of 1 over (0 %)", CTRL_C]]);
    expect([left.exitCode, left.stdout, left.unmet]).toEqual([130, "", []]);
    const [before, shown, ...rest] = left.screen.split(CLEAR_LINE);
    expect([before, shown]).toEqual(["", expect.stringMatching(/^[A-Z_]+: 0 of 1 over \(0 %\)/)]);
    expect(rest.at(-1)).toContain(`error: interrupted while batch ${batchId} was IN_PROGRESS;`);
    expect(left.screen).toContain(`msgctl tts watch ${batchId}`);
  });

  it("asks for the cost, waits on a line of its own, and says how to wait without being asked", async () => {
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
