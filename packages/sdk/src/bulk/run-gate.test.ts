/** Runs against services with rate limits, with fake timers. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ClientOptions, FetchInit, RetryEvent } from "../index.ts";
import { accepted, answered, problem } from "../testing/answering.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const texts = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => ({ merchantId: "m1", to: `+1202${index}`, message: "Hi", type: "OTP" }) as const,
  );

/** Gives each row's key, because digests are computed in a thread, which fake timers do not control. */
const sms = { channel: "SMS", idempotencyKey: ({ to }: { to: string }) => to } as const;

/** Advances the time until the work is done. */
async function passTime<T>(work: Promise<T>, stepMs = 5): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(stepMs);
  }
  return done;
}

type Answer = (sent: FetchInit) => Response;

/** Sends `count` rows, and counts the outcomes. */
async function runAll(
  answer: Answer,
  count: number,
  options: object = {},
  clientOptions: ClientOptions = {},
  stepMs?: number,
) {
  const latency = () => new Promise((resolve) => setTimeout(resolve, 10));
  const { client, sent } = answered(
    async (request) => {
      const reply = answer(request);
      await latency();
      return reply;
    },
    { maxRetries: 2, ...clientOptions },
  );
  const counts: Record<string, number> = {};
  const startedAt = performance.now();
  const run = async () => {
    for await (const outcome of client.send.many(texts(count), { ...sms, ...options })) {
      const name = outcome.ok ? "ok" : outcome.error.name;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  };
  await passTime(run(), stepMs);
  return { counts, sent, tookMs: performance.now() - startedAt };
}

/** A token bucket of `burst` requests, refilled with `perSecond` requests a second, like msgd's `--rate-limit`. */
function bucket(
  perSecond: number,
  burst: number,
  { tellsRemaining = true } = {},
): { answer: Answer; refused: () => number } {
  let [left, filledAt, refusedCount] = [burst, performance.now(), 0];
  const answer = () => {
    const now = performance.now();
    left = Math.min(burst, left + ((now - filledAt) / 1_000) * perSecond);
    filledAt = now;
    const isTaken = left >= 1;
    if (isTaken) left -= 1;
    else refusedCount += 1;
    const full = Math.ceil((burst - left) / perSecond);
    const headers: Record<string, string> = tellsRemaining
      ? { ratelimit: `"default";r=${Math.floor(left)};t=${full}` }
      : {};
    if (isTaken) return accepted({ headers });
    return problem(
      429,
      "rate_limited",
      {},
      { ...headers, "retry-after": String(Math.max(1, Math.ceil((1 - left) / perSecond))) },
    );
  };
  return { answer, refused: () => refusedCount };
}

describe("a rate limit never makes a run give up a valid row", () => {
  it.each([
    ["5 a second, 40 rows", 5, 5, 40, {}],
    ["5 a second, 40 rows, all at once", 5, 5, 40, { concurrency: 64 }],
    ["20 a second, 300 rows, 64 at once", 20, 20, 300, { concurrency: 64 }],
    ["20 a second, 300 rows, 16 at once", 20, 20, 300, { concurrency: 16 }],
    ["1 a second, one after the other", 1, 1, 8, { concurrency: 1 }],
    ["5 a second, 40 rows, without a retry", 5, 5, 40, { maxRetries: 0 }],
    ["5 a second, 200 rows with 5 seconds each", 5, 5, 200, { concurrency: 200, totalTimeoutMs: 5_000 }],
  ])("%s", async (_, perSecond, burst, count, options) => {
    for (const tellsRemaining of [true, false]) {
      const { answer, refused } = bucket(perSecond, burst, { tellsRemaining });
      const { counts, tookMs } = await runAll(answer, count, options);
      expect(counts).toEqual({ ok: count });
      // At least half of the service's rate, with at most two requests per row.
      expect(tookMs).toBeLessThan((2_000 * count) / perSecond);
      expect(refused()).toBeLessThan(2 * count);
    }
  });

  it("at one request a minute, even for longer than the 15 minutes for which a run may receive only 429", async () => {
    const { answer } = bucket(1 / 60, 1, { tellsRemaining: false });
    const { counts, tookMs } = await runAll(answer, 30, { concurrency: 4 }, {}, 500);
    expect(counts).toEqual({ ok: 30 });
    expect(tookMs).toBeGreaterThan(29 * 60_000);
  });

  it("if a 429 does not say how long to wait", async () => {
    let asked = 0;
    const { counts, sent } = await runAll(() => (++asked % 4 === 0 ? accepted() : problem(429, "rate_limited")), 10);
    expect(counts).toEqual({ ok: 10 });
    expect(sent).toHaveLength(40);
  });
});

describe("a row that is delayed", () => {
  it.each<[string, () => Response]>([
    ["by 429", () => problem(429, "rate_limited", {}, { "retry-after": "30" })],
    ["by 503", () => problem(503, "unavailable", {}, { "retry-after": "30" })],
    ["by a reply that leaves no requests", () => accepted({ headers: { ratelimit: '"default";r=0;t=30' } })],
  ])("%s delays all other rows", async (_, told) => {
    const times: number[] = [];
    const answer = () => {
      times.push(performance.now());
      return times.length === 1 ? told() : accepted();
    };
    // One row at a time, so that the delay hits no row in progress.
    const startedAt = performance.now();
    const { client } = answered(answer, { maxRetries: 2 });
    const results: boolean[] = [];
    const run = async () => {
      for await (const { ok } of client.send.many(texts(20), { ...sms, concurrency: 1 })) results.push(ok);
    };
    await passTime(run());
    expect(results).toEqual(Array.from({ length: 20 }, () => true));
    const [first = 0, ...later] = times.map((at) => at - startedAt);
    expect(first).toBeLessThan(1_000);
    expect(later[0]).toBeGreaterThanOrEqual(30_000);
    expect(later[0]).toBeLessThan(31_100);
  });

  it("does not count as an attempt, and is reported to hooks", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const told: RetryEvent[] = [];
    const refusals = Array.from({ length: 5 }, () => problem(429, "rate_limited", {}, { "retry-after": "2" }));
    const answers = [...refusals, problem(500, "internal_error"), accepted()];
    const onRetry = (event: RetryEvent) => told.push(event);
    const { counts, sent } = await runAll(
      () => answers.shift() as Response,
      1,
      { maxRetries: 1 },
      { hooks: { onRetry } },
    );
    expect(counts).toEqual({ ok: 1 });
    expect(sent).toHaveLength(7);
    expect(told.map(({ status, delayMs }) => [status, delayMs])).toEqual([
      ...refusals.map(() => [429, 2_500]),
      [500, 250],
    ]);
  });
});

describe("a run that receives only 429", () => {
  it("ends its rows with their 429 after 15 minutes", async () => {
    const { counts, tookMs } = await runAll(() => problem(429, "rate_limited", {}, { "retry-after": "50" }), 5);
    expect(counts).toEqual({ RateLimitError: 5 });
    expect(tookMs).toBeGreaterThan(840_000);
    expect(tookMs).toBeLessThan(960_000);
  });

  it("ends its rows at once if a reply asks for a longer wait than that", async () => {
    const { counts, sent, tookMs } = await runAll(() => problem(429, "rate_limited", {}, { "retry-after": "3600" }), 5);
    expect(counts).toEqual({ RateLimitError: 5 });
    expect(sent).toHaveLength(5);
    expect(tookMs).toBeLessThan(1_000);
  });

  it("ends at once when it is aborted, with an outcome for each row", async () => {
    const { client, sent } = answered(() => problem(429, "rate_limited", {}, { "retry-after": "60" }));
    const controller = new AbortController();
    const errors: string[] = [];
    const run = async () => {
      const { signal } = controller;
      for await (const outcome of client.send.many(texts(40), { ...sms, concurrency: 8, signal }))
        if (!outcome.ok) errors.push(outcome.error.name);
    };
    const ended = run().catch((error: Error) => error.name);
    await expect.poll(() => sent.length).toBeGreaterThan(0);
    setTimeout(() => controller.abort(), 20_000);
    const abortedAt = performance.now() + 20_000;
    expect(await passTime(ended)).toBe("AbortedError");
    expect(performance.now() - abortedAt).toBeLessThan(100);
    expect(errors).toEqual(Array.from({ length: 8 }, () => "AbortedError"));
  });
});

it("two runs have separate gates", async () => {
  let asked = 0;
  const { client } = answered(() =>
    ++asked === 1 ? problem(429, "rate_limited", {}, { "retry-after": "30" }) : accepted(),
  );
  const run = async () => {
    for await (const { ok } of client.send.many(texts(1), sms)) expect(ok).toBe(true);
    return performance.now();
  };
  const startedAt = performance.now();
  const held = run();
  await expect.poll(() => asked).toBe(1);
  expect((await passTime(run())) - startedAt).toBeLessThan(10_000);
  expect((await passTime(held)) - startedAt).toBeGreaterThanOrEqual(30_000);
});

it("single calls that are told to wait equally long are retried at different times", async () => {
  const refused = new Set<string>();
  const times: number[] = [];
  const { client } = answered(
    ({ body = "" }) => {
      if (refused.has(body)) times.push(performance.now());
      if (refused.has(body)) return accepted();
      refused.add(body);
      return problem(429, "rate_limited", {}, { "retry-after": "1" });
    },
    { maxRetries: 1 },
  );
  await passTime(Promise.all(texts(50).map((row) => client.send.sms(row))), 10);
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(500);
});
