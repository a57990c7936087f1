import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../development/clocks.ts";
import { FIRST_IN_QUEUE, scheduleJob } from "../../store/jobs.ts";
import { type Store, StoreUnavailable } from "../../store/store.ts";
import { takeLastingDatabase } from "../../testing/engine.ts";
import { openStoreAt, openTestStore } from "../../testing/test-store.ts";
import { createJobRunner, type JobHandler, type JobRunner } from "./runner.ts";

const startMs = Date.UTC(2026, 0, 15, 12);
let clock: VirtualClock;
let store: Store;
let runners: JobRunner[];
let done: [at: number, subject: string][];
let logged: string[];
let told: string[];

beforeEach(async () => {
  clock = createVirtualClock(startMs);
  store = await openTestStore({ now: clock.now });
  await prepare(store);
  [runners, done, logged, told] = [[], [], [], []];
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await store.close();
});

/** Creates a table for the effects of jobs, so that a job that is rolled back leaves nothing. */
async function prepare(fresh: Store): Promise<void> {
  await fresh.write((tx) => tx.run("CREATE TABLE IF NOT EXISTS done (at INTEGER NOT NULL, subject TEXT NOT NULL)"));
}

const note: JobHandler = async ({ tx, now }, subject) => {
  await tx.run("INSERT INTO done (at, subject) VALUES ($1, $2)", now - startMs, subject);
};

function openRunner(handlers: Record<string, JobHandler> = {}, on: Store = store): JobRunner {
  const log = (_details: object, message: string) => logged.push(message);
  const runner = createJobRunner({
    store: on,
    clock,
    logger: { warn: log, error: log },
    handlers: { note, ...handlers },
    notifyDispatcher: () => told.push("dispatcher"),
    notifySynthesizer: () => told.push("synthesizer"),
    notifyCallbacks: () => {},
  });
  clock.watch(() => runner.isBusy());
  runners.push(runner);
  return runner;
}

function schedule(subject: string, afterMs: number, kind = "note"): Promise<number> {
  return store.write((tx) => scheduleJob(tx, { tenantId: 1, kind, subject, dueAt: startMs + afterMs }));
}

/** Adds `count` jobs of a tenant. */
function scheduleMany(tenantId: number, { subject, dueAt }: { subject: string; dueAt: number }, count = 1) {
  return store.write(async (tx) => {
    for (let index = 0; index < count; index += 1) await scheduleJob(tx, { tenantId, kind: "note", subject, dueAt });
  });
}

async function readDone(from: Store = store): Promise<[at: number, subject: string][]> {
  const rows = await from.read((tx) => tx.all<{ at: number; subject: string }>("SELECT at, subject FROM done"));
  done = rows.map(({ at, subject }) => [at, subject]);
  return done;
}

/** Sorted by time and subject, because the jobs of a round may run in any order. */
const readDoneByTime = async (): Promise<[at: number, subject: string][]> =>
  (await readDone()).sort(([at, subject], [otherAt, other]) => at - otherAt || subject.localeCompare(other));

const countJobs = async () =>
  (await store.read((tx) => tx.get<{ count: number }>("SELECT COUNT(*) AS count FROM jobs")))?.count;

describe("a job runner", () => {
  it("runs each job when it is due", async () => {
    await schedule("c", 500);
    await schedule("a", 100);
    const runner = openRunner();
    runner.start();
    await clock.advanceBy(50);
    expect(await readDone()).toEqual([]);
    await schedule("b1", 200);
    await schedule("b2", 200);
    runner.notify();
    await clock.advanceBy(1_000);
    expect(await readDoneByTime()).toEqual([
      [100, "a"],
      [200, "b1"],
      [200, "b2"],
      [500, "c"],
    ]);
    expect(await countJobs()).toBe(0);
  });

  it("runs jobs that fell due before the start, the longest due first", async () => {
    await scheduleMany(1, { subject: "late", dueAt: startMs - 100 }, 16);
    await scheduleMany(1, { subject: "later", dueAt: startMs - 500 }, 16);
    openRunner().start();
    await clock.settle();
    const subjects = (await readDone()).map(([, subject]) => subject);
    // two rounds of jobs
    expect(subjects).toEqual([...Array(16).fill("later"), ...Array(16).fill("late")]);
  });

  it("alternates between tenants, even if one of them has many jobs", async () => {
    await scheduleMany(2, { subject: "flood", dueAt: FIRST_IN_QUEUE }, 300);
    await scheduleMany(2, { subject: "own", dueAt: startMs - 1 });
    await scheduleMany(3, { subject: "payment", dueAt: startMs });
    await scheduleMany(900, { subject: "call", dueAt: FIRST_IN_QUEUE });
    await scheduleMany(901, { subject: "review", dueAt: startMs }, 40);
    // far more tenants than a round examines
    for (let tenantId = 100; tenantId < 300; tenantId += 1)
      await scheduleMany(tenantId, { subject: "-", dueAt: Number.MAX_SAFE_INTEGER });
    openRunner().start();
    await clock.settle();
    const subjects = (await readDone()).map(([, subject]) => subject);
    expect(subjects).toHaveLength(343);
    // in the first five rounds, every tenant with due jobs is served
    expect(subjects.slice(0, 5 * 16)).toEqual(expect.arrayContaining(["own", "payment", "call", "review"]));
    expect(subjects.lastIndexOf("review")).toBeLessThan(subjects.lastIndexOf("flood"));
  });

  it("never reuses the id of a finished job", async () => {
    const first = await schedule("a", 0);
    openRunner().start();
    await clock.settle();
    expect(await countJobs()).toBe(0);
    expect(await schedule("b", 0)).toBeGreaterThan(first);
  });

  it("runs jobs that a job adds, at once or later, in several rounds if needed", async () => {
    const chain: JobHandler = async (context, subject) => {
      await note(context, subject);
      const left = Number(subject) - 1;
      const dueAt = context.now + (left % 2 === 0 ? 0 : 1_000);
      if (left > 0) await scheduleJob(context.tx, { tenantId: 1, kind: "chain", subject: String(left), dueAt });
    };
    await schedule("4", 0, "chain");
    for (let index = 0; index < 300; index += 1) await schedule(`n${index}`, 0);
    openRunner({ chain }).start();
    await clock.advanceBy(5_000);
    const done = await readDone();
    expect(done.filter(([, subject]) => !subject.startsWith("n"))).toEqual([
      [0, "4"],
      [1_000, "3"],
      [1_000, "2"],
      [2_000, "1"],
    ]);
    expect(done).toHaveLength(304);
  });

  it("runs a job once, even if several runners share the store", async () => {
    for (let index = 0; index < 200; index += 1) await schedule(String(index), index % 7);
    for (const runner of [openRunner(), openRunner(), openRunner()]) runner.start();
    await clock.advanceBy(1_000);
    const subjects = (await readDone()).map(([, subject]) => subject);
    expect(subjects).toHaveLength(200);
    expect(new Set(subjects).size).toBe(200);
    expect(logged).toEqual([]);
  });

  it("rolls back only the failed job, and retries it until it succeeds", async () => {
    let failures = 2;
    const flaky: JobHandler = async (context, subject) => {
      await note(context, subject);
      if (context.now < startMs + failures * 30_000) throw new Error("not yet");
    };
    await schedule("before", 0);
    await schedule("flaky", 0, "flaky");
    await schedule("after", 0);
    openRunner({ flaky }).start();
    await clock.advanceBy(29_999);
    expect(await readDoneByTime()).toEqual([
      [0, "after"],
      [0, "before"],
    ]);
    await clock.advanceBy(60_000);
    expect((await readDone()).slice(2)).toEqual([[60_000, "flaky"]]);
    expect(logged).toEqual(["a job failed; retrying", "a job failed; retrying"]);
    failures = 0;
    await clock.advanceBy(300_000);
    expect(await readDone()).toHaveLength(3);
  });

  it("keeps a job for which it has no handler, so that a newer version can run it", async () => {
    await schedule("odd", 0, "unheard-of");
    const runner = openRunner();
    runner.start();
    await clock.advanceBy(1_000);
    expect([await countJobs(), logged]).toEqual([1, ["a job failed; retrying"]]);
    await runner.stop();
    openRunner({ "unheard-of": note }).start();
    await clock.advanceBy(30_000);
    expect(await readDone()).toEqual([[30_000, "odd"]]);
  });

  it("notifies the dispatcher and the synthesizer of work that a job created", async () => {
    await schedule("d", 0, "dispatching");
    await schedule("c", 1_000, "calling");
    openRunner({ dispatching: async () => "dispatch", calling: async () => "calls" }).start();
    await clock.settle();
    expect(told).toEqual(["dispatcher"]);
    await clock.advanceBy(1_000);
    expect(told).toEqual(["dispatcher", "dispatcher", "synthesizer"]);
  });

  it("waits while the store cannot be read or written, and loses no job", async () => {
    let isDown = true;
    const refuse = () => Promise.reject(new StoreUnavailable("the disk is full"));
    const shaky: Store = {
      ...store,
      read: (work) => store.read(work),
      write: (work) => (isDown ? refuse() : store.write(work)),
    };
    for (const subject of ["a", "b"]) await schedule(subject, 0);
    const runner = openRunner({}, shaky);
    runner.start();
    await clock.advanceBy(20_000);
    expect(await readDone()).toEqual([]);
    expect(runner.isBusy()).toBe(false);
    isDown = false;
    await clock.advanceBy(10_000);
    expect(await readDoneByTime()).toEqual([
      [30_000, "a"],
      [30_000, "b"],
    ]);
    expect(logged.length).toBeLessThan(10);
  });

  it("waits for the jobs in flight when it is stopped, and takes no further jobs", async () => {
    let finish = () => {};
    const isBegun = new Promise<void>((begun) => {
      const slow: JobHandler = async (context, subject) => {
        begun();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        await note(context, subject);
        await scheduleJob(context.tx, { tenantId: 1, kind: "note", subject: "next", dueAt: context.now });
      };
      void schedule("slow", 0, "slow").then(() => openRunner({ slow }).start());
    });
    await isBegun;
    const [runner] = runners as [JobRunner];
    let isStopped = false;
    const stopped = runner.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    finish();
    await stopped;
    expect(await readDone()).toEqual([[0, "slow"]]);
    runner.notify();
    await clock.advanceBy(60_000);
    expect([(await readDone()).length, await countJobs()]).toEqual([1, 1]);
  });
});

describe("jobs of a process that ended", () => {
  it("are run by the next process when they are due", async () => {
    const { location, release } = await takeLastingDatabase();
    const open = () => openStoreAt(location, { now: clock.now });
    const first = await open();
    await prepare(first);
    await first.write((tx) => scheduleJob(tx, { tenantId: 1, kind: "note", subject: "kept", dueAt: startMs + 100 }));
    await first.close();
    const second = await open();
    const runner = openRunner({}, second);
    runner.start();
    await clock.advanceBy(100);
    expect(await readDone(second)).toEqual([[100, "kept"]]);
    await runner.stop();
    await second.close();
    await release();
  });
});
