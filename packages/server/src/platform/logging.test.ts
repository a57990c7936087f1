import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { createLogging, dropWhenFull, RepeatLimiter } from "./logging.ts";

const open = (level: string) => {
  let now = 0;
  const lines: Record<string, unknown>[] = [];
  const stream = { write: (text: string) => void lines.push(JSON.parse(text)) };
  const { log } = fastify({ logger: createLogging({ level, stream, now: () => now }) });
  return {
    log,
    lines,
    pass: (ms: number) => {
      now += ms;
    },
  };
};

describe("a log", () => {
  it("shows a persistent fault once, then the number of its repeats", () => {
    const { log, lines, pass } = open("warn");
    for (let count = 0; count < 1_000; count += 1) {
      log.error({ err: new Error(`no space for page ${count}`), requestId: `req_${count}` }, "unavailable");
      pass(10);
    }
    expect(lines).toHaveLength(1);
    log.error({ err: new Error("no space for page 7") }, "unavailable");
    expect(lines[1]).toMatchObject({ msg: "unavailable", repeated: 999 });
  });

  it("distinguishes faults", () => {
    const { log, lines } = open("warn");
    log.error({ err: new Error("first") }, "unavailable");
    log.error({ err: new Error("second") }, "unavailable");
    log.error({ err: new Error("second", { cause: new Error("why") }) }, "unavailable");
    log.warn({ err: new Error("second") }, "other words");
    log.warn("plain");
    log.warn("plain");
    expect(lines.map(({ msg }) => msg)).toEqual(["unavailable", "unavailable", "unavailable", "other words", "plain"]);
  });

  it("distinguishes receivers, even if their names differ only by a digit", () => {
    const { log, lines, pass } = open("warn");
    for (let round = 0; round < 3; round += 1) {
      for (const receiver of ["hook-1.example", "hook-2.example"]) log.warn({ receiver, attempt: round }, "not taken");
      pass(5_000);
    }
    expect(lines.map(({ receiver, repeated }) => [receiver, repeated])).toEqual([
      ["hook-1.example", undefined],
      ["hook-2.example", undefined],
      ["hook-1.example", 1],
      ["hook-2.example", 1],
    ]);
  });

  it("still shows other faults, however many receivers fail", () => {
    const { log, lines } = open("warn");
    for (let number = 0; number < 1_000; number += 1) log.warn({ receiver: `${number}.example` }, "not taken");
    const before = lines.length;
    expect(before).toBeLessThan(250);
    for (const message of ["first", "second"]) log.error({ err: new Error(message) }, "unavailable");
    expect(lines.length - before).toBe(2);
  });

  it("never suppresses a line that is not a fault", () => {
    const { log, lines } = open("info");
    for (let count = 0; count < 5; count += 1) log.info({ count }, "answered");
    expect(lines).toHaveLength(5);
  });
});

it("a log is not flooded by faults that are all different", () => {
  let now = 0;
  const limiter = new RepeatLimiter(() => now);
  const admitted = Array.from({ length: 5_000 }, (_, index) => limiter.admit(`reason ${index}`)).filter(
    (left) => left !== undefined,
  );
  expect(admitted.length).toBeLessThan(250);
  now += 60_000;
  expect(limiter.admit("another")).toBe(0);
});

it("a log is not silenced by a clock that was set back", () => {
  let now = 1_000_000;
  const limiter = new RepeatLimiter(() => now);
  expect(limiter.admit("a")).toBe(0);
  now = 0;
  expect(limiter.admit("a")).toBe(0);
  expect(limiter.admit("a")).toBeUndefined();
});

it("a log drops lines instead of buffering them while nobody reads it", () => {
  let waiting = "";
  const stream = {
    write: (text: string) => {
      waiting += text;
    },
    get writableLength() {
      return waiting.length;
    },
  };
  const log = dropWhenFull(stream);
  for (let count = 0; count < 5_000; count += 1) log.write(`${"x".repeat(1_023)}\n`);
  expect(waiting.length).toBe(1024 * 1024);
  waiting = "";
  log.write("read again\n");
  expect(waiting).toBe("read again\n");
});
