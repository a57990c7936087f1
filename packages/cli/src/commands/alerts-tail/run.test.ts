import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createPolledCommand, parseLines } from "../../testing/polled-command.ts";

describe("alerts tail", () => {
  const alert = (id: number, more: object = {}) => ({
    ...{ merchantId: "m1", channel: "SMS", alertType: "USAGE_THRESHOLD", severity: "WARNING" },
    ...{ message: `alert ${id}`, thresholdPercent: 80, createdAt: `2026-03-01T11:0${id}:00.000Z`, ...more },
  });
  const tail = (answers: readonly unknown[]) => createPolledCommand(answers, ["alerts", "tail"]);
  const messages = (text: string) => parseLines(text).map(({ message }) => message);

  it("prints alerts after its start, oldest first and each once", async () => {
    const { run, received, clock } = await tail([[alert(1)], [alert(3), alert(2), alert(1)], [alert(4), alert(3)]]);
    const { exitCode, stdout, stderr } = await run(["-o", "jsonl", "--count", "3", "--merchant-id", "m1"]);
    expect([exitCode, messages(stdout), stderr]).toEqual([0, ["alert 2", "alert 3", "alert 4"], ""]);
    expect(new Set(received.map(({ url }) => url))).toEqual(new Set(["/api/v1/alerts?merchantId=m1"]));
    expect(clock.pauses).toEqual([5000, 5000]);
  });

  it("stops after --count alerts, even if the last answer has more", async () => {
    const { run } = await tail([[], [alert(1)], [alert(4), alert(3), alert(2), alert(1)]]);
    const { exitCode, stdout } = await run(["-o", "jsonl", "--count", "3"]);
    expect([exitCode, messages(stdout)]).toEqual([0, ["alert 1", "alert 2", "alert 3"]]);
  });

  it("starts with the alerts since the time of --since", async () => {
    const { run } = await tail([[alert(3), alert(2), alert(1)]]);
    const since = await run(["-o", "jsonl", "--since", "2026-03-01T11:02:00Z", "--count", "2"]);
    expect(messages(since.stdout)).toEqual(["alert 2", "alert 3"]);
    const ago = await run(["-o", "jsonl", "--since", "59m", "--count", "1", "--wait-timeout", "1"]);
    expect([ago.exitCode, messages(ago.stdout)]).toEqual([0, ["alert 1"]]);
  });

  it("keeps the positions of its columns when later alerts arrive", async () => {
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

  it("omits columns that the message repeats on a narrow terminal", async () => {
    const { run } = await tail([[], [alert(1)]]);
    const { stdout } = await run(["--count", "1"], { terminal: 80 });
    expect(stdout.split("\n")).toEqual([
      "createdAt          severity  merchantId     channel  message",
      "2026-03-01 11:01Z  WARNING   m1             SMS      alert 1",
      "",
    ]);
  });

  it("prints one document as json, and one heading as csv", async () => {
    const answers = [[], [alert(1)], [alert(2), alert(1)]];
    const json = await (await tail(answers)).run(["-o", "json", "--count", "2"]);
    expect(JSON.parse(json.stdout)).toEqual([alert(1), alert(2)]);
    const csv = await (await tail(answers)).run(["-o", "csv", "--count", "2", "--columns", "channel,message"]);
    expect(csv.stdout).toBe("channel,message\nSMS,alert 1\nSMS,alert 2\n");
    const queried = await (await tail(answers)).run(["-o", "raw", "--count", "2", "--query", "[].message"]);
    expect(queried.stdout).toBe("alert 1\nalert 2\n");
    const lines = await (await tail(answers)).run(["-o", "jsonl", "--count", "2", "--query", "[].message"]);
    expect(parseLines(lines.stdout)).toEqual(["alert 1", "alert 2"]);
  });

  it("reports a transient failure once, and continues", async () => {
    const { run, clock } = await tail([503, 500, 429, [], 503, [alert(1)]]);
    const { exitCode, stdout, stderr } = await run(["-o", "jsonl", "--count", "1", "--interval", "7"]);
    expect([exitCode, messages(stdout)]).toEqual([0, ["alert 1"]]);
    const outage = "The service does not respond at the moment (Not now); trying again.\nThe service responds again.\n";
    expect(stderr).toBe(outage + outage);
    expect(clock.pauses).toEqual([1000, 2000, 4000, 7000, 1000]);
  });

  it("exits on a refused credential, and prints nothing", async () => {
    const { run } = await tail([401]);
    const ended = await run(["-o", "json"]);
    expect([ended.exitCode, ended.stdout]).toEqual([3, ""]);
    const later = await (await tail([[alert(1)], [alert(2), alert(1)], 403])).run(["-o", "jsonl"]);
    expect([later.exitCode, messages(later.stdout)]).toEqual([3, ["alert 2"]]);
  });

  it("exits at its time limit: with 0, or with 10 if --count alerts have not arrived", async () => {
    const { run, received } = await tail([[], [alert(1)]]);
    const ended = await run(["--wait-timeout", "12", "-o", "jsonl"]);
    expect([ended.exitCode, messages(ended.stdout), received.length]).toEqual([0, ["alert 1"], 4]);
    const short = await (await tail([[], [alert(1)]])).run(["--wait-timeout", "12", "--count", "2", "-o", "jsonl"]);
    expect([short.exitCode, messages(short.stdout)]).toEqual([10, ["alert 1"]]);
    expect(JSON.parse(short.stderr).message).toBe("1 of 2 alerts arrived within 12 seconds");
  });

  it("exits with 130 on Ctrl-C, and keeps what it has printed", async () => {
    const controller = new AbortController();
    const clock = createFakeClock((_, nowMs) => nowMs > Date.parse("2026-03-01T12:00:09Z") && controller.abort());
    const { run } = await tail([[], [alert(1)]]);
    const ended = await run(["-o", "json"], { clock, signal: controller.signal });
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toEqual([130, [alert(1)]]);
  });

  it("says on a terminal that it waits for alerts", async () => {
    const { run } = await tail([[], [alert(1)]]);
    const { stderr } = await run(["--count", "1"], { terminal: 80 });
    expect(stderr).toBe("Waiting for alerts. Press Ctrl-C to stop.\n");
  });

  it("reports all faults of its flags", async () => {
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
