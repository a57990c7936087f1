import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AbortedError, NotFoundError, ServerError, TimeoutError, UsageError } from "../errors.ts";
import type { VoiceTtsBatchSummaryView } from "../generated/types.ts";
import { answered, problem } from "../testing/answering.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const summaryOf = (status: string, more: object = {}) => ({
  batchId: "7",
  status,
  ...{ totalCalls: 10, success: 2, failed: 1, partial: 0, pending: 7, scheduled: 0 },
  ...more,
});

/** A client whose batch goes through states; the last one stays. */
function batchThat(...states: (object | Response)[]) {
  const times: number[] = [];
  const start = Date.now();
  const answer = () => {
    times.push(Date.now() - start);
    const state = states.length > 1 ? states.shift() : states[0];
    return state instanceof Response ? state.clone() : Response.json(state);
  };
  const { client, sent } = answered(answer, { maxRetries: 2 });
  return { client, sent, times };
}

/** Pauses between the reads, in milliseconds. */
const pauses = (times: number[]) => times.slice(1).map((time, at) => time - (times[at] ?? 0));

/** Advances the time by `ms`, and resolves to the wait's outcome, or "waits" if the wait has not ended. */
async function within<T>(ms: number, wait: Promise<T>): Promise<{ value?: T; error?: unknown } | "waits"> {
  let ended: { value?: T; error?: unknown } | undefined;
  wait.then(
    (value) => (ended = { value }),
    (error: unknown) => (ended = { error }),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return ended ?? "waits";
}

it.each(["COMPLETED", "COMPLETED_WITH_ERRORS", "FAILED"])(
  "waitForBatch returns a summary that is %s",
  async (status) => {
    const over = summaryOf(status);
    const { client, sent } = batchThat(over);
    expect(await within(0, client.tts.waitForBatch("7"))).toEqual({ value: over });
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(["/api/v1/voice/tts-calls/batches/7/summary"]);
  },
);

it.each(["QUEUED", "IN_PROGRESS", "STATUS_OF_A_NEWER_SERVICE"])(
  "waitForBatch continues while the summary is %s",
  async (status) => {
    const { client } = batchThat(summaryOf(status), summaryOf(status), summaryOf("COMPLETED"));
    expect(await within(2_000, client.tts.waitForBatch("7"))).toMatchObject({ value: { status: "COMPLETED" } });
  },
);

describe("pauses", () => {
  const last = summaryOf("COMPLETED");
  const times = (count: number, state: object) => Array.from({ length: count }, () => state);

  it("grow to five seconds", async () => {
    const batch = batchThat(...times(9, summaryOf("IN_PROGRESS")), last);
    await within(60_000, batch.client.tts.waitForBatch("7"));
    expect(pauses(batch.times)).toEqual([500, 750, 1125, 1687, 2531, 3796, 5000, 5000, 5000]);
  });

  it("grow to a minute while every call is scheduled for later, and are short again when a call has started", async () => {
    const batch = batchThat(...times(15, summaryOf("SCHEDULED")), summaryOf("IN_PROGRESS"), last);
    await within(900_000, batch.client.tts.waitForBatch("7"));
    expect(pauses(batch.times).slice(-4)).toEqual([60_000, 60_000, 60_000, 5_000]);
  });

  it("have the length that the caller chose", async () => {
    const batch = batchThat(...times(3, summaryOf("SCHEDULED")), last);
    await within(600, batch.client.tts.waitForBatch("7", { pollMs: 200 }));
    expect(pauses(batch.times)).toEqual([200, 200, 200]);
  });

  it.each([0, 99, -1, Number.NaN, 3_600_001, Number.POSITIVE_INFINITY])("cannot be %d ms long", async (pollMs) => {
    const { client, sent } = batchThat(last);
    await expect(client.tts.waitForBatch("7", { pollMs })).rejects.toThrow(UsageError);
    expect(sent).toEqual([]);
  });
});

describe("onProgress", () => {
  it("is called when the summary has changed", async () => {
    const begun = summaryOf("IN_PROGRESS", { success: 3, pending: 6 });
    const over = summaryOf("COMPLETED");
    const { client } = batchThat(summaryOf("QUEUED"), summaryOf("QUEUED"), begun, { ...begun }, over);
    const told: VoiceTtsBatchSummaryView[] = [];
    await within(20_000, client.tts.waitForBatch("7", { onProgress: (summary) => told.push(summary) }));
    expect(told).toEqual([summaryOf("QUEUED"), begun, over]);
  });

  it("ends the wait if it throws", async () => {
    const { client } = batchThat(summaryOf("QUEUED"));
    const wait = client.tts.waitForBatch("7", {
      onProgress: () => {
        throw new RangeError("mine");
      },
    });
    expect(await within(0, wait)).toEqual({ error: new RangeError("mine") });
  });
});

describe("a failed read", () => {
  it("is retried, as in any call", async () => {
    const { client } = batchThat(summaryOf("QUEUED"), problem(503, "unavailable"), summaryOf("COMPLETED"));
    expect(await within(5_000, client.tts.waitForBatch("7"))).toMatchObject({ value: { status: "COMPLETED" } });
  });

  it.each([
    [404, "batch_not_found", NotFoundError],
    [503, "unavailable", ServerError],
  ])("ends the wait if it is permanent (%d)", async (status, code, expected) => {
    const { client } = batchThat(summaryOf("QUEUED"), problem(status, code));
    expect(await within(60_000, client.tts.waitForBatch("7"))).toEqual({ error: expect.any(expected) });
  });
});

describe("the time limit of the whole wait", () => {
  it("ends the wait between two reads, and reports the progress of the batch", async () => {
    const { client } = batchThat(summaryOf("IN_PROGRESS"));
    const wait = client.tts.waitForBatch("7", { timeoutMs: 10_000 });
    expect(await within(9_999, wait)).toBe("waits");
    const ended = await within(1, wait);
    expect(ended).toEqual({ error: expect.any(TimeoutError) });
    expect(ended).toMatchObject({
      error: {
        message:
          "The wait took longer than 10000 ms. Batch 7 was IN_PROGRESS: of 10 calls 2 succeeded, 1 failed, " +
          "0 were heard in part, 7 are under way and 0 are scheduled for later. Its calls go on: wait again, or read " +
          "client.tts.summary.",
      },
    });
  });

  it("ends a read that hangs", async () => {
    const { client, sent } = answered(() => new Promise(() => {}));
    const ended = await within(10_000, client.tts.waitForBatch("7", { timeoutMs: 10_000 }));
    expect(ended).toMatchObject({ error: { name: "TimeoutError", message: expect.stringContaining("never read") } });
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it("ends the retries of a read", async () => {
    const { client, sent } = batchThat(problem(503, "unavailable", {}, { "retry-after": "50" }));
    const ended = await within(10_000, client.tts.waitForBatch("7", { timeoutMs: 10_000 }));
    expect(ended).toMatchObject({ error: { name: "TimeoutError" } });
    expect(sent).toHaveLength(1);
  });

  it("may be Infinity, which is longer than any timer", async () => {
    const { client } = batchThat(summaryOf("SCHEDULED"));
    const controller = new AbortController();
    const options = { timeoutMs: Number.POSITIVE_INFINITY, signal: controller.signal, pollMs: 3_600_000 };
    const wait = client.tts.waitForBatch("7", options);
    expect(await within(7 * 24 * 3_600_000, wait)).toBe("waits");
    controller.abort();
    await expect(wait).rejects.toThrow(AbortedError);
  });

  it.each([0, -1, Number.NaN, 2 ** 31])("cannot be %d ms", async (timeoutMs) => {
    const { client, sent } = batchThat(summaryOf("QUEUED"));
    await expect(client.tts.waitForBatch("7", { timeoutMs })).rejects.toThrow(UsageError);
    expect(sent).toEqual([]);
  });
});

describe("the signal", () => {
  it("ends the wait at once between two reads", async () => {
    const { client } = batchThat(summaryOf("SCHEDULED", { scheduled: 7, pending: 0 }));
    const controller = new AbortController();
    const wait = client.tts.waitForBatch("7", { signal: controller.signal });
    expect(await within(400, wait)).toBe("waits");
    const reason = new Error("shutting down");
    controller.abort(reason);
    const ended = await within(0, wait);
    expect(ended).toEqual({ error: expect.any(AbortedError) });
    expect(ended).toMatchObject({ error: { cause: reason, message: expect.stringContaining("was SCHEDULED") } });
  });

  it("ends a read", async () => {
    const { client, sent } = answered(() => new Promise(() => {}));
    const controller = new AbortController();
    const wait = client.tts.waitForBatch("7", { signal: controller.signal });
    expect(await within(0, wait)).toBe("waits");
    controller.abort();
    expect(await within(0, wait)).toEqual({ error: expect.any(AbortedError) });
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it("takes effect when it is aborted by the progress callback", async () => {
    const { client, sent } = batchThat(summaryOf("QUEUED"));
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const ended = await within(0, client.tts.waitForBatch("7", { signal: controller.signal, onProgress }));
    expect(ended).toEqual({ error: expect.any(AbortedError) });
    expect(sent).toHaveLength(1);
  });

  it("prevents any request if it was aborted before", async () => {
    const { client, sent } = batchThat(summaryOf("QUEUED"));
    const wait = client.tts.waitForBatch("7", { signal: AbortSignal.abort() });
    await expect(wait).rejects.toThrow(AbortedError);
    expect(sent).toEqual([]);
  });
});
