/** A 2xx may come from something other than the service. No command may treat it as success or as a negative answer. */
import { existsSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { catalog } from "../catalog.ts";
import { records } from "../generated/records.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { folder, msgctl, type Received, reply, service } from "../testing/world.ts";
import { withChecksum } from "./access/credential-form.ts";

const foreign: Record<string, (response: ServerResponse) => void> = {
  "JSON of something else": (response) => reply(response, 200, { status: "maintenance" }),
  "a sign-in page": (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Sign in</h1>"),
  "204": (response) => response.writeHead(204).end(),
};

const API_KEY = withChecksum("mkt_test_canary00000000000000a0");
const API_SECRET = withChecksum("mks_canary0000000000000000000000000000000000");
const CONTACT = "+12025550100";
const FILE = "merchantId: m1\nbrand:\n  legalBusinessName: Acme\n";
const LIST = `merchantId,to,message,type\nm1,${CONTACT},One,OTP\nm1,+12025550101,Two,OTP\n`;
const CONSENTS = `merchantId,channel,contact,status\nm1,SMS,${CONTACT},OPT_OUT\n`;

/** Commands that do not correspond to exactly one operation. */
const defined = [
  ["consent", "check", CONTACT, "--channel", "SMS", "--merchant-id", "m1"],
  ["tts", "watch", "9"],
  ["alerts", "tail", "--count", "1"],
  ["registration", "apply", "r.yaml", "-y"],
  ["registration", "wait", "m1"],
  ["api", "GET", "/api/v1/merchants"],
  ["api", "GET", "/api/v1/merchants/m1"],
  ["api", "POST", "/api/v1/messages/sms", "-y"],
  ["auth", "status"],
  ["doctor"],
];
const operations = Object.values(records).flatMap(({ examples, cost, identity }) =>
  examples.slice(0, 1).map(({ argv }) => ({ argv: cost === undefined ? argv : [...argv, "-y"], identity })),
);

/** Creates a folder with the files that the commands read, and an environment with the credential. */
async function scene(answer: (response: ServerResponse, request: Received) => void) {
  const cwd = folder();
  const files = { "r.yaml": FILE, "list.csv": LIST, "consents.csv": CONSENTS, "secret.txt": `${API_SECRET}\n` };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const answering = await service(answer);
  const run = (argv: readonly string[], env = answering.env) =>
    msgctl([...argv, "--retries", "0"], { catalog, cwd, env, clock: createFakeClock() });
  return { ...answering, cwd, run };
}

// Pauses between retries are random. 0 makes them as short as possible.
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

describe.each(Object.entries(foreign))("%s", (name, answer) => {
  const takesIt = (identity: unknown) => name === "204" && identity === null;

  it("leaves the outcome of every operation unknown, and every command says what to do next", async () => {
    const { run } = await scene(answer);
    for (const { argv } of operations.filter(({ identity }) => !takesIt(identity))) {
      const ended = await run([...argv, "-o", "json"]);
      const line = argv.join(" ");
      expect.soft([ended.exitCode, ended.stdout], line).toEqual([6, ""]);
      const told = JSON.parse(ended.stderr);
      expect.soft(told, line).toMatchObject({ code: "unexpected_reply", exitCode: 6 });
      expect.soft(told.hints.join("\n"), line).toMatch(/^Check the address \(http:.*gateway/m);
      if (told.idempotencyKey !== null)
        expect.soft(told.hints.join("\n"), line).toContain(`--idempotency-key ${told.idempotencyKey}`);
    }
  });

  it("is never reported as a negative answer or as a bug of msgctl", async () => {
    const { run } = await scene(answer);
    for (const argv of defined) {
      const { exitCode, stdout, stderr } = await run(argv);
      expect.soft(exitCode, argv.join(" ")).toBe(6);
      expect.soft(stdout + stderr, argv.join(" ")).not.toMatch(/bug in msgctl|Nothing found|has not opted|has opted/);
      expect.soft(stdout + stderr, argv.join(" ")).toMatch(/no usable reply: HTTP 20[04], /);
    }
  });

  it.each([
    ["send bulk list.csv --channel SMS", 2, (body: object) => ({ ...body, messageId: "msg_1", status: "QUEUED" })],
    ["consent import consents.csv", 1, (body: object) => body],
  ])("leaves the rows of %s open, and the next run uses the same keys", async (words, rows, view) => {
    let isOpen = false;
    const { run, received } = await scene((response, { body }) =>
      isOpen ? reply(response, 200, view(JSON.parse(body))) : answer(response),
    );
    const argv = [...words.split(" "), "-y"];
    const keys = () => received.splice(0).map(({ headers }) => headers["idempotency-key"]);
    const ended = await run([...argv, "-o", "jsonl"]);
    const outcomes = ended.stdout.trim().split("\n");
    expect(outcomes.map((line) => JSON.parse(line))).toEqual(Array(rows).fill(expect.objectContaining({ ok: false })));
    expect([ended.exitCode, ended.stderr]).toEqual([8, expect.stringContaining('"rows_open"')]);
    const sent = keys();
    isOpen = true;
    const again = await run(argv);
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining(`${rows} done, 0 failed, 0 open`)]);
    expect(keys().sort()).toEqual(sent.sort());
  });
});

it("auth login stores no credential if something other than the service answered", async () => {
  const { run, baseUrl, cwd } = await scene((response) => reply(response, 200, { status: "maintenance" }));
  const credential = ["--api-key", API_KEY, "--api-secret-file", "secret.txt", "--base-url", baseUrl];
  const { exitCode, stdout } = await msgctl(["auth", "login", ...credential], { catalog, cwd });
  expect([exitCode, stdout]).toEqual([6, ""]);
  expect(existsSync(join(cwd, ".config/msgctl/config.json"))).toBe(false);
  expect((await run(["auth", "list"], {})).stdout).toBe("");
});
