import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { createPolledCommand, parseLines } from "../../testing/polled-command.ts";

describe("tts watch", () => {
  const summary = (status: string, success: number, failed = 0) => ({
    ...{ batchId: "9002", status, totalCalls: 3, success, failed, partial: 0, scheduled: 0 },
    ...{ pending: 3 - success - failed, totalCost: success / 10 },
  });
  const open = summary("IN_PROGRESS", 0);
  const half = summary("IN_PROGRESS", 2);
  const watch = (answers: readonly unknown[]) => createPolledCommand(answers, ["tts", "watch", "9002"]);

  it("prints each change without a terminal, and the totals at the end", async () => {
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

  it("shows one line on a terminal, and clears it at the end", async () => {
    const { run } = await watch([open, summary("COMPLETED", 3)]);
    const { stderr } = await run(["--columns", "status"], { terminal: 80 });
    expect(stderr).toBe(
      "\r\u001b[KIN_PROGRESS: 0 of 3 over (0 %), 0.00 USD so far\r\u001b[KCOMPLETED: 3 of 3 over (100 %), 0.30 USD\r\u001b[K",
    );
  });

  it("prints a line for each change with -o jsonl, the last one with the final state", async () => {
    const { run } = await watch([open, open, half, half, summary("COMPLETED", 3)]);
    const { stdout, stderr } = await run(["-o", "jsonl"]);
    expect([parseLines(stdout), stderr]).toEqual([[open, half, summary("COMPLETED", 3)], ""]);
    const queried = await (await watch([open, summary("COMPLETED", 3)])).run(["-o", "jsonl", "--query", "success"]);
    expect(parseLines(queried.stdout)).toEqual([0, 3]);
  });

  it.each(["COMPLETED_WITH_ERRORS", "FAILED"])("exits with 8 for %s", async (status) => {
    const { exitCode, stdout, stderr } = await (await watch([summary(status, 2, 1)])).run(["--columns", "status"]);
    expect([exitCode, stdout]).toEqual([8, `status  ${status}\n`]);
    expect(stderr).toContain(`batch 9002 ended as ${status}: 1 of 3 calls failed`);
    expect(stderr).toContain("`msgctl tts numbers 9002 --status FAILED`");
  });

  it("exits with 10 at the deadline and with 130 on Ctrl-C, and says how to resume", async () => {
    const late = await (await watch([open])).run(["--wait-timeout", "60", "--quiet"]);
    expect([late.exitCode, late.stdout]).toEqual([10, ""]);
    expect(late.stderr.split("\n")).toEqual([
      "error: batch 9002 was still IN_PROGRESS after 60 s; msgctl stopped waiting, the work continues",
      "hint: Check it again with `msgctl tts watch 9002`.",
      "",
    ]);
    const controller = new AbortController();
    const clock = createFakeClock(() => controller.abort());
    const stopped = await (await watch([open])).run(["--quiet"], { clock, signal: controller.signal });
    expect([stopped.exitCode, stopped.stdout]).toEqual([130, ""]);
    expect(stopped.stderr).toContain("`msgctl tts watch 9002`");
  });

  it("continues with an unknown status, and through transient failures", async () => {
    const { run } = await watch([summary("PAUSED", 0), 503, 503, summary("COMPLETED", 3)]);
    const { exitCode, stderr } = await run(["-o", "jsonl"]);
    expect([exitCode, stderr]).toEqual([
      0,
      "The service does not respond at the moment (Not now); trying again.\nThe service responds again.\n",
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

  it("exits at once if nothing listens at the address, or if the batch is unknown", async () => {
    const { run } = await watch([404]);
    expect((await run()).exitCode).toBe(4);
    const nowhere = await run(["--base-url", "http://127.0.0.1:1"]);
    expect([nowhere.exitCode, nowhere.stderr]).toEqual([6, expect.stringContaining("nothing is listening")]);
    const nothing = await createPolledCommand([open], ["tts", "watch", "nine"]);
    expect((await nothing.run()).exitCode).toBe(2);
    expect(nothing.received).toEqual([]);
  });

  it("prints its request with --dry-run instead of making it", async () => {
    const { run, received, baseUrl } = await watch([open]);
    const ended = await run(["--dry-run"]);
    expect([ended.exitCode, ended.stdout]).toEqual([0, expect.stringContaining(`GET ${baseUrl}/api/v1/voice`)]);
    expect(received).toEqual([]);
  });
});
