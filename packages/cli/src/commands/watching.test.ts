/** The commands that watch or wait for the real contract's work, on a service that says what the test wants. */
import { describe, expect, it } from "vitest";
import { catalog } from "../catalog.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { msgctl, reply, service, type World } from "../testing/world.ts";

/** A service that gives one answer after the other, the last for ever; a number is the status of a failure. */
async function scene(answers: readonly unknown[], words: readonly string[]) {
  let reads = 0;
  const answering = await service((response) => {
    const answer = answers[Math.min(reads, answers.length - 1)];
    reads += 1;
    if (typeof answer !== "number") return reply(response, 200, answer);
    return reply(response, answer, { code: "unavailable", status: answer, title: "No.", detail: "Not now." });
  });
  const clock = createFakeClock();
  const env = { ...answering.env, NO_COLOR: "1" };
  const run = (argv: readonly string[] = [], world: Partial<World> = {}) =>
    msgctl([...words, "--retries", "0", ...argv], { env, catalog, clock, ...world });
  return { ...answering, clock, run };
}

const parsed = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("tts watch", () => {
  const summary = (status: string, success: number, failed = 0) => ({
    ...{ batchId: "9002", status, totalCalls: 3, success, failed, partial: 0, scheduled: 0 },
    ...{ pending: 3 - success - failed, totalCost: success / 10 },
  });
  const open = summary("IN_PROGRESS", 0);
  const half = summary("IN_PROGRESS", 2);
  const watch = (answers: readonly unknown[]) => scene(answers, ["tts", "watch", "9002"]);

  it("tells changes off a terminal, and prints the totals at the end", async () => {
    const { run, received, clock } = await watch([open, open, half, summary("COMPLETED", 3)]);
    const ended = await run(["-o", "json"]);
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([0, summary("COMPLETED", 3)]);
    expect(ended.stderr.split("\n")).toEqual([
      "IN_PROGRESS: 0 of 3 over (0 %), 0.00 USD so far",
      "IN_PROGRESS: 2 of 3 over (66 %), 0.20 USD so far, 2 s left",
      "COMPLETED: 3 of 3 over (100 %), 0.30 USD",
      "",
    ]);
    expect(received.every(({ url }) => url === "/api/v1/voice/tts-calls/batches/9002/summary")).toBe(true);
    expect(clock.pauses).toEqual([1000, 1500, 2250]);
  });

  it("is one line of a terminal that is gone at the end", async () => {
    const { run } = await watch([open, summary("COMPLETED", 3)]);
    const { stderr } = await run(["--columns", "status"], { terminal: 80 });
    expect(stderr).toBe(
      "\r\u001b[KIN_PROGRESS: 0 of 3 over (0 %), 0.00 USD so far\r\u001b[KCOMPLETED: 3 of 3 over (100 %), 0.30 USD\r\u001b[K",
    );
  });

  it("prints a line for each change with -o jsonl, the last being the end", async () => {
    const { run } = await watch([open, open, half, half, summary("COMPLETED", 3)]);
    const { stdout, stderr } = await run(["-o", "jsonl"]);
    expect([parsed(stdout), stderr]).toEqual([[open, half, summary("COMPLETED", 3)], ""]);
    const queried = await (await watch([open, summary("COMPLETED", 3)])).run(["-o", "jsonl", "--query", "success"]);
    expect(parsed(queried.stdout)).toEqual([0, 3]);
  });

  it.each(["COMPLETED_WITH_ERRORS", "FAILED"])("exits with 8 for %s", async (status) => {
    const { exitCode, stdout, stderr } = await (await watch([summary(status, 2, 1)])).run(["--columns", "status"]);
    expect([exitCode, stdout]).toEqual([8, `status  ${status}\n`]);
    expect(stderr).toContain(`batch 9002 ended as ${status}: 1 of 3 calls failed`);
    expect(stderr).toContain("`msgctl tts numbers 9002 --status FAILED`");
  });

  it("exits with 10 at the deadline and with 130 on Ctrl-C, and says how to go on", async () => {
    const late = await (await watch([open])).run(["--wait-timeout", "60", "--quiet"]);
    expect([late.exitCode, late.stdout]).toEqual([10, ""]);
    expect(late.stderr.split("\n")).toEqual([
      "error: batch 9002 was still IN_PROGRESS after 60 s; the wait has ended, the work goes on",
      "hint: Look again with `msgctl tts watch 9002`.",
      "",
    ]);
    const controller = new AbortController();
    const clock = createFakeClock(() => controller.abort());
    const stopped = await (await watch([open])).run(["--quiet"], { clock, signal: controller.signal });
    expect([stopped.exitCode, stopped.stdout]).toEqual([130, ""]);
    expect(stopped.stderr).toContain("`msgctl tts watch 9002`");
  });

  it("goes on with a status of tomorrow, and through failures that pass", async () => {
    const { run } = await watch([summary("PAUSED", 0), 503, 503, summary("COMPLETED", 3)]);
    const { exitCode, stderr } = await run(["-o", "jsonl"]);
    expect([exitCode, stderr]).toEqual([
      0,
      "The service does not answer at present (Not now); trying again.\nThe service answers again.\n",
    ]);
  });

  it.each<[string[], number, string]>([
    [["--wait-timeout", "never"], 2, "--wait-timeout"],
    [["--body-file", "x.json"], 2, "this command sends no body"],
    [["--idempotency-key", "k"], 2, "takes no key"],
    [["--set", "a=b"], 2, "this command sends no body"],
  ])("refuses %j", async (argv, exitCode, said) => {
    const { run, received } = await watch([open]);
    const ended = await run(argv);
    expect([ended.exitCode, ended.stderr]).toEqual([exitCode, expect.stringContaining(said)]);
    expect(received).toEqual([]);
  });

  it("ends at once where nothing listens, and with a batch that is none", async () => {
    const { run } = await watch([404]);
    expect((await run()).exitCode).toBe(4);
    const nowhere = await run(["--base-url", "http://127.0.0.1:1"]);
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([6, expect.stringContaining("nothing listens")]);
    const nothing = await scene([open], ["tts", "watch", "nine"]);
    expect((await nothing.run()).exitCode).toBe(2);
    expect(nothing.received).toEqual([]);
  });

  it("shows its request instead of making it", async () => {
    const { run, received, baseUrl } = await watch([open]);
    const ended = await run(["--dry-run"]);
    expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringContaining(`GET ${baseUrl}/api/v1/voice`)]);
    expect(received).toEqual([]);
  });
});

describe("alerts tail", () => {
  const alert = (id: number, more: object = {}) => ({
    ...{ merchantId: "m1", channel: "SMS", alertType: "USAGE_THRESHOLD", severity: "WARNING" },
    ...{ message: `alert ${id}`, thresholdPercent: 80, createdAt: `2026-03-01T11:0${id}:00.000Z`, ...more },
  });
  const tail = (answers: readonly unknown[]) => scene(answers, ["alerts", "tail"]);
  const messages = (text: string) => parsed(text).map(({ message }) => message);

  it("prints what comes after its start, the oldest first and each once", async () => {
    const { run, received, clock } = await tail([[alert(1)], [alert(3), alert(2), alert(1)], [alert(4), alert(3)]]);
    const { exitCode, stdout, stderr } = await run(["-o", "jsonl", "--count", "3", "--merchant-id", "m1"]);
    expect([exitCode, messages(stdout), stderr]).toEqual([0, ["alert 2", "alert 3", "alert 4"], ""]);
    expect(new Set(received.map(({ url }) => url))).toEqual(new Set(["/api/v1/alerts?merchantId=m1"]));
    expect(clock.pauses).toEqual([5000, 5000]);
  });

  it("begins with those since a time", async () => {
    const { run } = await tail([[alert(3), alert(2), alert(1)]]);
    const since = await run(["-o", "jsonl", "--since", "2026-03-01T11:02:00Z", "--count", "2"]);
    expect(messages(since.stdout)).toEqual(["alert 2", "alert 3"]);
    const ago = await run(["-o", "jsonl", "--since", "59m", "--count", "1", "--wait-timeout", "1"]);
    expect([ago.exitCode, messages(ago.stdout)]).toEqual([0, ["alert 1"]]);
  });

  it("keeps its columns where they are", async () => {
    const long = alert(2, { merchantId: "a-merchant-with-a-long-name", message: "\u001b[2Jalert 2" });
    const { run } = await tail([[], [alert(1)], [long, alert(1)]]);
    const { stdout } = await run(["--count", "2", "--columns", "createdAt,merchantId,message"]);
    expect(stdout.split("\n")).toEqual([
      "createdAt                merchantId     message",
      "2026-03-01 11:01:00 UTC  m1             alert 1",
      "2026-03-01 11:02:00 UTC  a-merchant-with-a-long-name  \\u001b[2Jalert 2",
      "",
    ]);
  });

  it("leaves out on a narrow terminal what the message says as well", async () => {
    const { run } = await tail([[], [alert(1)]]);
    const { stdout } = await run(["--count", "1"], { terminal: 80 });
    expect(stdout.split("\n")).toEqual([
      "createdAt          severity  merchantId     channel  message",
      "2026-03-01 11:01Z  WARNING   m1             SMS      alert 1",
      "",
    ]);
  });

  it("is one document as json, and one with one heading as csv", async () => {
    const answers = [[], [alert(1)], [alert(2), alert(1)]];
    const json = await (await tail(answers)).run(["-o", "json", "--count", "2"]);
    expect(JSON.parse(json.stdout)).toEqual([alert(1), alert(2)]);
    const csv = await (await tail(answers)).run(["-o", "csv", "--count", "2", "--columns", "channel,message"]);
    expect(csv.stdout).toBe("channel,message\nSMS,alert 1\nSMS,alert 2\n");
    const queried = await (await tail(answers)).run(["-o", "raw", "--count", "2", "--query", "[].message"]);
    expect(queried.stdout).toBe("alert 1\nalert 2\n");
    const lines = await (await tail(answers)).run(["-o", "jsonl", "--count", "2", "--query", "[].message"]);
    expect(parsed(lines.stdout)).toEqual(["alert 1", "alert 2"]);
  });

  it("tells a failure that passes once, and goes on", async () => {
    const { run, clock } = await tail([503, 500, 429, [], 503, [alert(1)]]);
    const { exitCode, stdout, stderr } = await run(["-o", "jsonl", "--count", "1", "--interval", "7"]);
    expect([exitCode, messages(stdout)]).toEqual([0, ["alert 1"]]);
    const outage = "The service does not answer at present (Not now); trying again.\nThe service answers again.\n";
    expect(stderr).toBe(outage + outage);
    expect(clock.pauses).toEqual([1000, 2000, 4000, 7000, 1000]);
  });

  it("ends with a credential that is refused, and prints nothing", async () => {
    const { run } = await tail([401]);
    const ended = await run(["-o", "json"]);
    expect([ended.exitCode, ended.stdout]).toEqual([3, ""]);
    const later = await (await tail([[alert(1)], [alert(2), alert(1)], 403])).run(["-o", "jsonl"]);
    expect([later.exitCode, messages(later.stdout)]).toEqual([3, ["alert 2"]]);
  });

  it("ends with its time: with 0, or with 10 where more was asked for", async () => {
    const { run, received } = await tail([[], [alert(1)]]);
    const ended = await run(["--wait-timeout", "12", "-o", "jsonl"]);
    expect([ended.exitCode, messages(ended.stdout), received.length]).toEqual([0, ["alert 1"], 4]);
    const short = await (await tail([[], [alert(1)]])).run(["--wait-timeout", "12", "--count", "2", "-o", "jsonl"]);
    expect([short.exitCode, messages(short.stdout)]).toEqual([10, ["alert 1"]]);
    expect(JSON.parse(short.stderr).message).toBe("1 of 2 alerts came within 12 seconds");
  });

  it("ends with 130 on Ctrl-C, what it has printed", async () => {
    const controller = new AbortController();
    const clock = createFakeClock((_, nowMs) => nowMs > Date.parse("2026-03-01T12:00:09Z") && controller.abort());
    const { run } = await tail([[], [alert(1)]]);
    const ended = await run(["-o", "json"], { clock, signal: controller.signal });
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([130, [alert(1)]]);
  });

  it("says on a terminal what it waits for", async () => {
    const { run } = await tail([[], [alert(1)]]);
    const { stderr } = await run(["--count", "1"], { terminal: 80 });
    expect(stderr).toBe("Waiting for alerts; Ctrl-C ends it.\n");
  });

  it("names all that is wrong", async () => {
    const { run, received } = await tail([[]]);
    const { exitCode, stderr } = await run([
      "--since",
      "soon",
      "--interval",
      "0",
      "--count",
      "0",
      "--merchant-id",
      "a b",
    ]);
    expect(exitCode).toBe(2);
    for (const flag of ["--since", "--interval", "--count", "--merchant-id"]) expect(stderr).toContain(`  ${flag}: `);
    expect(received).toEqual([]);
  });
});

describe("registration wait", () => {
  const registration = (blockingReason: string | null) => ({
    ...{ merchantId: "m1", readyToSend: blockingReason === null, blockingReason },
    ...{ brands: [], campaigns: [], numbers: [] },
  });
  const wait = (reasons: readonly (string | null)[]) =>
    scene(reasons.map(registration), ["registration", "wait", "m1"]);

  it("tells each change, until it is ready", async () => {
    const { run, received } = await wait(["BRAND_PENDING", "BRAND_PENDING", "CAMPAIGN_PENDING", "A_NEW_ONE", null]);
    const ended = await run(["-o", "json"]);
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([0, registration(null)]);
    expect(ended.stderr.split("\n")).toEqual([
      "Not ready: BRAND_PENDING.",
      "Not ready: CAMPAIGN_PENDING.",
      "Not ready: A_NEW_ONE.",
      "Ready to send.",
      "",
    ]);
    expect(received[0]?.url).toBe("/api/v1/merchants/m1/messaging/status");
  });

  it.each([
    ["BRAND_MISSING", "`msgctl registration brand m1 --legal-business-name <name>`"],
    ["CAMPAIGN_REJECTED", "`msgctl registration status m1`"],
    ["NUMBER_UNASSIGNED", "`msgctl registration assign m1 <numberId> --campaign-id <campaignId>`"],
  ])("ends at once for %s, and says what to do", async (reason, command) => {
    const { run, received } = await wait(["BRAND_PENDING", reason]);
    const ended = await run(["--columns", "blockingReason"]);
    expect([ended.exitCode, ended.stdout, received.length]).toEqual([8, `blockingReason  ${reason}\n`, 2]);
    expect(ended.stderr).toContain(`merchant m1 is not ready to send, and will not be by waiting: ${reason}`);
    expect(ended.stderr).toContain(command);
  });

  it("says how an inactive merchant is made active, by the name it has", async () => {
    const replies = [registration("MERCHANT_INACTIVE"), { merchantId: "m1", displayName: "M & Sons", active: false }];
    const { run, received } = await scene(replies, ["registration", "wait", "m1"]);
    const { exitCode, stderr } = await run([]);
    expect([exitCode, received.at(-1)?.url]).toEqual([8, "/api/v1/merchants/m1"]);
    expect(stderr).toContain('`msgctl merchants upsert --merchant-id m1 --display-name "M & Sons" --active`');
  });

  it("exits with 10 at the deadline", async () => {
    const ended = await (await wait(["CAMPAIGN_PENDING"])).run(["--wait-timeout", "7200", "--quiet"]);
    expect([ended.exitCode, ended.stdout]).toEqual([10, ""]);
    expect(ended.stderr).toContain("merchant m1 was still kept from sending by CAMPAIGN_PENDING after 2.0 h");
    expect(ended.stderr).toContain("`msgctl registration wait m1`");
  });
});

describe("consent check", () => {
  const record = { merchantId: "m1", channel: "SMS", contact: "+12025550100", status: "OPT_IN" };
  const consents = [
    { ...record, source: "form", updatedAt: "2026-03-01T11:00:00.000Z" },
    { ...record, channel: "VOICE", status: "OPT_OUT", source: null, updatedAt: "2026-03-01T11:00:00.000Z" },
    { ...record, channel: "EMAIL", contact: "mara@example.com", source: null, updatedAt: "2026-03-01T11:00:00.000Z" },
  ];
  const check = (argv: readonly string[]) => scene([consents], ["consent", "check", ...argv]);
  const M1 = ["--merchant-id", "m1"];

  it.each<[string[], object]>([
    [["+12025550100", "--channel", "SMS", ...M1], { contact: "+12025550100", source: "form" }],
    [["MARA@Example.com", ...M1], { contact: "mara@example.com", channel: "EMAIL" }],
    [["mara@example.com", "--channel", "EMAIL", ...M1], { contact: "mara@example.com" }],
  ])("exits with 0 for %j", async (argv, verdict) => {
    const { run, received } = await check(argv);
    const ended = await run(["-o", "json"]);
    expect([ended.exitCode, ended.stderr]).toEqual([0, ""]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ optedIn: true, status: "OPT_IN", ...verdict });
    expect(received.map(({ url }) => url)).toEqual(["/api/v1/consents?merchantId=m1"]);
  });

  it.each([
    ["VOICE", "consent_opted_out", "OPT_OUT", "has opted out of the VOICE messages of m1"],
    ["SMS", "consent_required", null, "has not opted in to the SMS messages of m1"],
  ])("exits with 8 for %s, the verdict on standard output", async (channel, code, status, said) => {
    const contact = status === null ? "+12025550199" : "+12025550100";
    const ended = await (await check([contact, "--channel", channel, ...M1])).run(["-o", "json"]);
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([
      8,
      expect.objectContaining({ optedIn: false, status }),
    ]);
    const error = JSON.parse(ended.stderr);
    expect([error.code, error.message]).toEqual([code, `${contact} ${said}`]);
    expect(error.hints[0]).toContain(`--channel ${channel} --contact ${contact} --status OPT_IN`);
  });

  it.each<[string[], number, string]>([
    [["+12025550100", ...M1], 9, "--channel: missing: SMS or VOICE"],
    [["mara@example.com"], 9, "--merchant-id: missing"],
    [["+1 202", "--channel", "SMS", ...M1], 2, '<contact>: received "+1 202"'],
    [["mara@example.com", "--channel", "SMS", ...M1], 2, "expected EMAIL for mara@example.com"],
    [["+12025550100", "--channel", "EMAIL", ...M1], 2, "expected SMS or VOICE for +12025550100"],
    [[...M1], 9, "<contact>: missing"],
  ])("refuses %j with %i", async (argv, exitCode, said) => {
    const { run, received } = await check(argv);
    const ended = await run();
    expect([ended.exitCode, ended.stderr]).toEqual([exitCode, expect.stringContaining(said)]);
    expect(received).toEqual([]);
  });
});
