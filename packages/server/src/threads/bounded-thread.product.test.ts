import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as timers from "../platform/timers.ts";
import { StoreUnavailable } from "../store/store.ts";
import { BoundedThread, TaskTooCostly } from "./worker-threads.ts";

/**
 * Answers like `answerRequests`, with the request itself. "loop" never ends, "grow" exceeds the memory limit, and
 * "wait" is never answered.
 */
const program = toUrl(`
  import { parentPort, threadId } from "node:worker_threads";
  parentPort.on("message", ({ id, request }) => {
    if (request === "loop") for (;;);
    if (request === "grow") for (const all = []; ; ) all.push(new Array(1_000).fill({}));
    if (request === "wait") return;
    parentPort.postMessage({ id, answer: [request, threadId] });
  });
`);

function toUrl(source: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** Ends the time limit of the next task soon. Later tasks keep theirs, in which a busy machine can start a new thread. */
function hastenNextTimer(): void {
  const { setTimeout } = timers;
  const spy = vi.spyOn(timers, "setTimeout");
  spy.mockImplementationOnce(((act: () => void) => setTimeout(act, 1_000)) as typeof setTimeout);
}

let thread: BoundedThread<string, [string, number]>;
let failures: unknown[];
beforeEach(() => {
  failures = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await thread.close();
});

function open(options: { program?: URL } = {}): void {
  thread = new BoundedThread({
    program,
    memoryMiB: 24,
    idleMs: 10_000,
    mostWaiting: { perOwner: 64, owners: 1 },
    onFailure: (error) => failures.push(error),
    ...options,
  });
}

it("the thread starts with the first task, and runs all tasks", async () => {
  open();
  expect(thread.isRunning).toBe(false);
  const [, first] = await thread.run("a");
  expect(thread.isRunning).toBe(true);
  expect((await thread.run("b"))[1]).toBe(first);
  const answers = await Promise.all(Array.from({ length: 20 }, (_none, task) => thread.run(String(task))));
  expect(answers.map(([request]) => request)).toEqual(Array.from({ length: 20 }, (_none, task) => String(task)));
  expect(new Set(answers.map(([, id]) => id)).size).toBe(1);
});

it("tasks are rejected if the queue is full", async () => {
  open();
  const waiting = Array.from({ length: 1 + 64 }, () => thread.run("wait"));
  await expect(thread.run("a")).rejects.toThrow(new StoreUnavailable("too many tasks wait for a thread"));
  const ended = Promise.allSettled(waiting);
  await thread.close();
  expect((await ended).map(({ status }) => status)).toEqual(waiting.map(() => "rejected"));
});

it.each([
  ["grow", "the task took more than 24 MiB of memory"],
  ["loop", "the task took more than 10 s"],
])("a thread whose task would %s for ever is ended, and the other tasks are run", async (task, words) => {
  open();
  if (task === "loop") hastenNextTimer();
  const costly = thread.run(task);
  const others = Promise.all(["a", "b"].map((request) => thread.run(request)));
  await expect(costly).rejects.toThrow(new TaskTooCostly(words));
  expect((await others).map(([request]) => request)).toEqual(["a", "b"]);
  expect((await thread.run("c"))[0]).toBe("c");
});

it("a task is not reported as too costly if the program fails", async () => {
  open({ program: toUrl("throw new Error('not built')") });
  await expect(thread.run("a")).rejects.toThrow(StoreUnavailable);
  expect(failures).toEqual([expect.objectContaining({ message: "not built" })]);
});
