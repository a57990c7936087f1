import { describe, expect, it } from "vitest";
import { CliError } from "../failures/errors.ts";
import { EXIT, type ExitCode } from "../process/exit-codes.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { type Bounds, type Reading, readAgain } from "./read-again.ts";

const failure = (exitCode: ExitCode, details = {}) => new CliError(exitCode, "failed", "It failed.", details);

/** A service that gives the answers in order and then repeats the last. An error is thrown. */
function scene(answers: readonly unknown[], more: Partial<Reading> = {}) {
  const clock = createFakeClock();
  const bounds: Bounds[] = [];
  const troubles: (string | undefined)[] = [];
  const reading: Reading = {
    read: async (given) => {
      const answer = answers[Math.min(bounds.length, answers.length - 1)];
      bounds.push(given);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    pace: { firstMs: 1000, growth: 2, longestMs: 5000 },
    timeoutMs: 20_000,
    clock,
    signal: new AbortController().signal,
    onTrouble: (error) => void troubles.push(error?.message),
    hasAnswered: false,
    ...more,
  };
  const views: unknown[] = [];
  const run = async (isEnough: (view: unknown) => boolean = () => false) => {
    for await (const view of readAgain(reading)) {
      views.push(view);
      if (isEnough(view)) return "enough";
    }
    return "time is up";
  };
  return { run, views, bounds, troubles, clock };
}

describe("reading again", () => {
  it("pauses longer and longer, and reads once more at the deadline", async () => {
    const { run, clock, bounds } = scene(["open"]);
    expect(await run()).toBe("time is up");
    expect(clock.pauses).toEqual([1000, 2000, 4000, 5000, 5000, 3000]);
    expect(bounds.map(({ timeoutMs }) => timeoutMs)).toEqual([20_000, 19_000, 17_000, 13_000, 8000, 3000, 1000]);
  });

  it("ends when the consumer stops", async () => {
    const { run, views, clock } = scene(["open", "open", "over", "never"]);
    expect(await run((view) => view === "over")).toBe("enough");
    expect([views, clock.pauses]).toEqual([
      ["open", "open", "over"],
      [1000, 2000],
    ]);
  });

  it("retries the first read like any call, and repeats later reads in its own loop instead", async () => {
    const { run, bounds } = scene(["open", "over"]);
    await run((view) => view === "over");
    expect(bounds.map(({ retries }) => retries)).toEqual([undefined, 0]);
  });

  it.each([[EXIT.network], [EXIT.service], [EXIT.rateLimited]])(
    "continues after a failure with exit code %i",
    async (exitCode) => {
      const { run, views, troubles, clock } = scene(["open", failure(exitCode), failure(exitCode), "over"]);
      expect(await run((view) => view === "over")).toBe("enough");
      expect([views, troubles]).toEqual([
        ["open", "over"],
        ["It failed.", undefined],
      ]);
      expect(clock.pauses).toEqual([1000, 1000, 2000]);
    },
  );

  it("pauses for as long as the service requests, up to a limit", async () => {
    const limited = (retryAfterMs: number) => failure(EXIT.rateLimited, { retryAfterMs });
    const { run, clock } = scene([limited(7000), limited(3_600_000), "over"], { timeoutMs: 1_000_000 });
    await run((view) => view === "over");
    expect(clock.pauses).toEqual([7000, 300_000]);
  });

  it.each([[EXIT.auth], [EXIT.refused], [EXIT.internal]])(
    "ends at once on a failure with exit code %i",
    async (exitCode) => {
      const { run, troubles } = scene(["open", failure(exitCode)]);
      await expect(run()).rejects.toMatchObject({ exitCode });
      expect(troubles).toEqual([]);
    },
  );

  it("ends if the service cannot be reached, unless it has answered before", async () => {
    await expect(scene([failure(EXIT.network)]).run()).rejects.toMatchObject({ exitCode: EXIT.network });
    const known = scene([failure(EXIT.network)], { hasAnswered: true });
    expect(await known.run()).toBe("time is up");
    expect(known.troubles).toEqual(["It failed."]);
  });

  it.each([["in a pause"], ["in a read"]])("is interrupted %s", async (when) => {
    const controller = new AbortController();
    const clock = createFakeClock(() => when === "in a pause" && controller.abort());
    const read = async () => {
      if (when === "in a pause") return "open";
      controller.abort();
      throw failure(EXIT.interrupted);
    };
    const { run, views } = scene([], { clock, read, signal: controller.signal });
    await expect(run()).rejects.toMatchObject({ exitCode: EXIT.interrupted, code: "interrupted" });
    expect(views).toEqual(when === "in a pause" ? ["open"] : []);
  });
});
