import { getEventListeners } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type RunBounds, runBounded } from "./run-bounded.ts";

const bounds = (more: Partial<RunBounds> = {}): RunBounds => ({
  concurrency: 3,
  signal: undefined,
  explainAbort: (startedCount) => new Error(`stopped after ${startedCount}`),
  ...more,
});

/** A source that counts the requests for rows. */
function counted(rows: readonly number[], next: (at: number) => Promise<void> | void = () => {}) {
  const source = { reads: 0, returns: 0, hasEnded: false };
  const iterator: AsyncIterator<number> = {
    async next() {
      const at = source.reads++;
      try {
        await next(at);
      } catch (error) {
        source.hasEnded = true;
        throw error;
      }
      const value = rows[at];
      if (value !== undefined) return { done: false, value };
      source.hasEnded = true;
      return { done: true, value: undefined };
    },
    async return() {
      source.returns += 1;
      return { done: true, value: undefined };
    },
  };
  return Object.assign(source, { [Symbol.asyncIterator]: () => iterator });
}

/** Work that lasts until its signal is aborted. */
function lasting() {
  const ends = new Map<number, () => void>();
  const aborted: number[] = [];
  const work = (_row: number, index: number, signal: AbortSignal) =>
    new Promise<string>((resolve) => {
      ends.set(index, () => resolve(`done ${index}`));
      signal.addEventListener("abort", () => {
        aborted.push(index);
        resolve(`aborted ${index}`);
      });
    });
  return { work, aborted, started: () => [...ends.keys()], end: (index: number) => ends.get(index)?.() };
}

async function collect<Result>(run: AsyncIterable<Result>): Promise<{ results: Result[]; error: unknown }> {
  const results: Result[] = [];
  try {
    for await (const result of run) results.push(result);
    return { results, error: undefined };
  } catch (error) {
    return { results, error };
  }
}

const raise = (): never => {
  throw new Error("the source's");
};
const numbers = (length: number) => Array.from({ length }, (_, index) => index);
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("any run", () => {
  const stop = fc.oneof(
    fc.constant({ kind: "none" as const }),
    fc.record({ kind: fc.constantFrom("break" as const, "abort" as const, "fault" as const), at: fc.nat(20) }),
  );

  it("returns one result per started row and never exceeds the bound, whatever the latencies and however it ends", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.nat(20),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        stop,
        async (scheduler, length, concurrency, isSlowSource, stop) => {
          const controller = new AbortController();
          const begun: number[] = [];
          const results: number[] = [];
          let [underWay, doneWith, mostUnderWay, mostAhead, startedAtStop] = [0, 0, 0, 0, Number.POSITIVE_INFINITY];
          const source = counted(numbers(length), async (at) => {
            mostAhead = Math.max(mostAhead, at + 1 - doneWith);
            if (isSlowSource) await scheduler.schedule(Promise.resolve(), "read");
            if (stop.kind === "fault" && at === stop.at) throw new Error("source");
          });
          const work = async (_row: number, index: number, signal: AbortSignal) => {
            begun.push(index);
            mostUnderWay = Math.max(mostUnderWay, ++underWay);
            const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
            await Promise.race([scheduler.schedule(Promise.resolve(), "work"), aborted]);
            underWay -= 1;
            return index;
          };
          const consume = async () => {
            for await (const index of runBounded(source, work, bounds({ concurrency, signal: controller.signal }))) {
              results.push(index);
              await scheduler.schedule(Promise.resolve(), "consumer");
              if (stop.kind === "abort" && results.length > stop.at) controller.abort();
              if (stop.kind === "abort" || stop.kind === "break") {
                if (results.length > stop.at) startedAtStop = Math.min(startedAtStop, begun.length);
                if (stop.kind === "break" && results.length > stop.at) break;
              }
              doneWith += 1;
            }
            return "ended";
          };
          const end = await scheduler.waitFor(consume().catch((error: Error) => error.message));

          expect(begun).toEqual(numbers(begun.length));
          expect(new Set(results).size).toBe(results.length);
          expect(mostUnderWay).toBeLessThanOrEqual(concurrency);
          expect(mostAhead).toBeLessThanOrEqual(concurrency);
          expect(underWay).toBe(0);
          expect(begun.length).toBeLessThanOrEqual(startedAtStop);
          if (stop.kind !== "break") expect(results.toSorted((a, b) => a - b)).toEqual(begun);
          expect(source.returns).toBeLessThanOrEqual(1);
          if (!source.hasEnded) expect(source.returns).toBe(1);

          if (end === "stopped") expect(stop.kind).toBe("abort");
          if (stop.kind === "none" || (stop.kind !== "fault" && stop.at >= length)) {
            expect([end, begun.length, source.returns]).toEqual(["ended", length, 0]);
          }
          if (stop.kind === "fault" && stop.at <= length) expect([end, begun.length]).toEqual(["source", stop.at]);
          if (stop.kind === "abort" && begun.length < length) expect(end).toBe(`stopped after ${begun.length}`);
        },
      ),
      { numRuns: 500 },
    );
  });
});

it("a run returns results as they come", async () => {
  const { work, end } = lasting();
  const run = runBounded(numbers(3), work, bounds());
  const first = run.next();
  await settled();
  end(2);
  expect(await first).toEqual({ done: false, value: "done 2" });
  end(1);
  expect(await run.next()).toEqual({ done: false, value: "done 1" });
  end(0);
  expect((await collect(run)).results).toEqual(["done 0"]);
});

it("a run reads no row before the first result is requested", async () => {
  const source = counted(numbers(3));
  const run = runBounded(source, async () => "done", bounds());
  await settled();
  expect(source.reads).toBe(0);
  await run.return();
  expect(source).toMatchObject({ reads: 0, returns: 0 });
});

it("a run stops reading while the consumer is busy", async () => {
  const source = counted(numbers(100));
  for await (const index of runBounded(source, async (row) => row, bounds({ concurrency: 4 }))) {
    await settled();
    expect(source.reads).toBeLessThanOrEqual(index + 4);
    if (index === 50) break;
  }
  expect(source.reads).toBeGreaterThan(50);
});

it.each([
  ["an array", () => ["a", "b"]],
  ["a set", () => new Set(["a", "b"])],
  [
    "a generator",
    function* () {
      yield* ["a", "b"];
    },
  ],
  [
    "an async generator",
    async function* () {
      yield* ["a", "b"];
    },
  ],
])("a run takes rows from %s", async (_name, rows) => {
  const { results } = await collect(runBounded<string, string>(rows(), async (row, at) => `${at}${row}`, bounds()));
  expect(results).toEqual(["0a", "1b"]);
});

describe("when its signal is aborted, a run", () => {
  it("returns the results of started rows, then throws", async () => {
    const controller = new AbortController();
    const { work, started, aborted } = lasting();
    const source = counted(numbers(10));
    const ended = collect(runBounded(source, work, bounds({ signal: controller.signal })));
    await settled();
    controller.abort();
    const { results, error } = await ended;
    expect(results).toEqual(["aborted 0", "aborted 1", "aborted 2"]);
    expect(error).toEqual(new Error("stopped after 3"));
    expect([started(), aborted]).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
    expect(source.returns).toBe(1);
  });

  it("starts no row if it was aborted before the start", async () => {
    const source = counted(numbers(10));
    const { error } = await collect(runBounded(source, async () => 1, bounds({ signal: AbortSignal.abort() })));
    expect(error).toEqual(new Error("stopped after 0"));
    expect(source).toMatchObject({ reads: 0, returns: 0 });
  });

  it("ends although the source never answers", async () => {
    const controller = new AbortController();
    const source = counted(numbers(10), (at) => (at === 2 ? new Promise(() => {}) : undefined));
    const { work, end } = lasting();
    const ended = collect(runBounded(source, work, bounds({ signal: controller.signal })));
    await settled();
    end(0);
    await settled();
    controller.abort();
    expect(await ended).toEqual({ results: ["done 0", "aborted 1"], error: new Error("stopped after 2") });
    expect(source.returns).toBe(1);
  });

  it("does not start a row that was still being read", async () => {
    const controller = new AbortController();
    let answer = () => {};
    const source = counted(numbers(10), () => new Promise((resolve) => (answer = resolve)));
    const { work, started } = lasting();
    const ended = collect(runBounded(source, work, bounds({ signal: controller.signal })));
    await settled();
    controller.abort();
    await ended;
    answer();
    await settled();
    expect(started()).toEqual([]);
    expect(source.reads).toBe(1);
  });

  it("ends normally if all rows were done before", async () => {
    const controller = new AbortController();
    const results: number[] = [];
    for await (const row of runBounded(numbers(2), async (row) => row, bounds({ signal: controller.signal }))) {
      results.push(row);
      await settled();
      controller.abort();
    }
    expect(results).toEqual([0, 1]);
  });

  it("throws the abort error, even if the source throws when it is closed", async () => {
    const controller = new AbortController();
    const rows = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false as const, value: 1 }),
        return: () => {
          throw new Error("cannot close");
        },
      }),
    };
    const ended = collect(runBounded(rows, lasting().work, bounds({ signal: controller.signal })));
    await settled();
    controller.abort();
    expect((await ended).error).toEqual(new Error("stopped after 3"));
  });

  it("leaves no listener behind", async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const { addEventListener, removeEventListener } = signal;
    Object.assign(signal, {
      addEventListener: (...args: Parameters<typeof addEventListener>) => {
        listeners += 1;
        addEventListener.apply(signal, args);
      },
      removeEventListener: (...args: Parameters<typeof removeEventListener>) => {
        listeners -= 1;
        removeEventListener.apply(signal, args);
      },
    });
    const run = runBounded(numbers(9), async (row) => row, bounds({ signal }));
    await run.next();
    expect(listeners).toBe(1);
    await collect(run);
    expect(listeners).toBe(0);
  });
});

describe("a misbehaving source", () => {
  it.each<[string, () => unknown]>([
    ["returns no result object", () => undefined],
    ["resolves to no result object", async () => null],
    ["returns a result that cannot be read", () => Object.defineProperty({}, "done", { get: () => raise() })],
    ["throws", () => raise()],
    ["rejects", async () => raise()],
  ])("that %s: the run yields the results of started rows, then throws the source's error", async (_, second) => {
    let reads = 0;
    const next = () => (reads++ === 0 ? { done: false, value: 7 } : second());
    const rows = { [Symbol.asyncIterator]: () => ({ next }) } as AsyncIterable<number>;
    const { results, error } = await collect(runBounded(rows, async (row) => row, bounds()));
    expect(results).toEqual([7]);
    expect(error).toBeInstanceOf(Error);
  });

  /** A source that yields rows forever, and whose `return` never settles. */
  const clinging = (onReturn: () => void): AsyncIterable<number> => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: 1 }),
      return: () => {
        onReturn();
        return new Promise(() => {});
      },
    }),
  });

  it("that never closes delays the exit from the loop until the signal is aborted", async () => {
    const controller = new AbortController();
    let isLeft = false;
    const closing = new Promise<void>((resolve) => {
      const run = async () => {
        for await (const _ of runBounded(clinging(resolve), async (row) => row, bounds({ signal: controller.signal })))
          break;
        isLeft = true;
      };
      void run();
    });
    await closing;
    await settled();
    expect(isLeft).toBe(false);
    controller.abort();
    await expect.poll(() => isLeft).toBe(true);
  });

  it("that never closes does not prevent the end of an aborted run", async () => {
    const controller = new AbortController();
    const run = runBounded(
      clinging(() => {}),
      async (row) => row,
      bounds({ signal: controller.signal }),
    );
    const iterator = run[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort();
    const { error } = await collect({ [Symbol.asyncIterator]: () => iterator });
    expect(error).toMatchObject({ message: expect.stringMatching(/^stopped after/) });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });
});

describe("when the loop is left, a run", () => {
  it("ends the work in progress, waits for it, and closes the source", async () => {
    const { work, end, aborted } = lasting();
    const source = counted(numbers(10));
    const run = runBounded(source, work, bounds());
    const first = run.next();
    await settled();
    end(1);
    await first;
    await run.return();
    expect(aborted).toEqual([0, 2]);
    expect(source).toMatchObject({ reads: 3, returns: 1 });
  });

  it("waits for work that takes a while to end", async () => {
    const ended: number[] = [];
    const work = async (_row: number, index: number, signal: AbortSignal) => {
      if (index === 0) return index;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await settled();
      ended.push(index);
      return index;
    };
    for await (const _ of runBounded(numbers(10), work, bounds())) break;
    expect(ended).toEqual([1, 2]);
  });

  it("does not wait for a read", async () => {
    async function* rows() {
      yield 0;
      // A generator, too, cannot be closed before its current read settles.
      await new Promise(() => {});
    }
    const results: number[] = [];
    for await (const row of runBounded(rows(), async (row) => row, bounds())) {
      results.push(row);
      break;
    }
    expect(results).toEqual([0]);
  });

  it("runs a generator's finally block", async () => {
    let isClosed = false;
    function* rows() {
      try {
        yield* numbers(10);
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of runBounded(rows(), async (row) => row, bounds())) break;
    expect(isClosed).toBe(true);
  });

  it("throws the error of a source that cannot be closed", async () => {
    const rows = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false as const, value: 1 }),
        return: () => {
          throw new Error("cannot close");
        },
      }),
    };
    const run = runBounded(rows, async (row) => row, bounds());
    await run.next();
    await expect(run.return()).rejects.toThrow("cannot close");
  });

  it("keeps the error of the loop's body", async () => {
    const loop = async () => {
      for await (const _ of runBounded(numbers(10), async (row) => row, bounds())) throw new Error("body");
    };
    await expect(loop()).rejects.toThrow("body");
  });
});

it("a run returns the results of started rows before it throws the source's error", async () => {
  const { work, end } = lasting();
  const source = counted(numbers(10), (at) => {
    if (at === 2) throw new Error("source");
  });
  const ended = collect(runBounded(source, work, bounds()));
  await settled();
  end(1);
  await settled();
  end(0);
  expect(await ended).toEqual({ results: ["done 1", "done 0"], error: new Error("source") });
  expect(source).toMatchObject({ reads: 3, returns: 0 });
});
