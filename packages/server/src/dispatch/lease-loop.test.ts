import { describe, expect, it } from "vitest";
import { systemRandomness } from "../platform/randomness.ts";
import { type Claim, LeaseLoop } from "./lease-loop.ts";

/** Maximum number of microtask rounds that follow an event. */
const MOST_TURNS = 12;

async function pass(turns = MOST_TURNS): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await undefined;
}

interface Bounds {
  /** Maximum number of tasks in flight, and leased by one claim. */
  readonly room: number;
  /** Length of a lease. A task whose lease has expired can be leased again by any loop. */
  readonly leaseMs: number;
  readonly restMs?: number;
}

/**
 * A loop over a queue in which only the test causes events: each answer of the store, each end of a task, and each
 * advance of the clock. Throws as soon as the loop breaks a guarantee.
 */
class Ground {
  nowMs = 0;
  readonly loop: LeaseLoop<number>;
  /** Due time of each unfinished task. A lease postpones it. */
  readonly dueAt = new Map<number, number>();
  readonly done: number[] = [];
  readonly errors: unknown[] = [];
  #accepted = 0;
  #wakes: { dueMs: number; wake: () => void }[] = [];
  /** The claim in flight. The store may have read the queue long before its answer arrives. */
  #claim: { look: () => void; answer: () => void; fail: () => void } | undefined;
  readonly #faults: string[] = [];
  readonly #underWay = new Map<number, { end: () => void; fail: () => void }>();
  #restsUntil = 0;
  readonly #bounds: Bounds;
  hasStarted = false;
  stopping: Promise<void> | undefined;
  hasStopped = false;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
    this.loop = new LeaseLoop({
      clock: {
        now: () => this.nowMs,
        at: (dueMs, wake) => {
          const entry = { dueMs, wake };
          this.#wakes.push(entry);
          return () => {
            this.#wakes = this.#wakes.filter((other) => other !== entry);
          };
        },
        after: () => () => {},
      },
      randomness: systemRandomness,
      countRoom: (underWay) => bounds.room - underWay,
      restsUntil: () => (this.#restsUntil > this.nowMs ? this.#restsUntil : undefined),
      claim: (_token, room) => this.#lookUp(room),
      perform: (task) => this.#perform(task),
      onError: (error) => this.errors.push(error),
      retryMs: 10,
    });
  }

  #lookUp(room: number): Promise<Claim<number>> {
    if (this.#claim !== undefined) this.#faults.push("two claims at once");
    if (!this.hasStarted || this.stopping !== undefined)
      this.#faults.push("claimed before the start or after the stop");
    if (room < 1 || room > this.#bounds.room) this.#faults.push(`claimed with room for ${room}`);
    if (this.#restsUntil > this.nowMs) this.#faults.push("claimed during a rest");
    return new Promise((resolve, reject) => {
      const over = () => {
        this.#claim = undefined;
        this.#restsUntil = this.nowMs + (this.#bounds.restMs ?? 0);
      };
      let answer: Claim<number> | undefined;
      const look = () => {
        const due = [...this.dueAt].filter(([, dueMs]) => dueMs <= this.nowMs).map(([task]) => task);
        const tasks = due.slice(0, room);
        for (const task of tasks) this.dueAt.set(task, this.nowMs + this.#bounds.leaseMs);
        const nextDueAt = this.dueAt.size === 0 ? undefined : Math.min(...this.dueAt.values());
        answer = { tasks, isMoreDue: due.length >= room, nextDueAt };
      };
      this.#claim = {
        look: () => (answer === undefined ? look() : undefined),
        answer: () => {
          over();
          if (answer === undefined) look();
          resolve(answer as Claim<number>);
        },
        fail: () => {
          over();
          reject(new Error("the store is away"));
        },
      };
    });
  }

  #perform(task: number): Promise<void> {
    if (this.hasStopped) this.#faults.push("began a task after the stop");
    if (this.#underWay.has(task)) this.#faults.push("began a task that is in flight");
    // the lease expired before the claim's answer arrived, so the loop no longer owns the task
    if ((this.dueAt.get(task) ?? 0) <= this.nowMs) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const over = () => this.#underWay.delete(task);
      this.#underWay.set(task, {
        end: () => {
          over();
          this.dueAt.delete(task);
          this.done.push(task);
          resolve();
        },
        fail: () => {
          over();
          reject(new Error("nobody knows"));
        },
      });
      if (this.#underWay.size > this.#bounds.room) this.#faults.push("more tasks in flight than there is room for");
    });
  }

  start(): void {
    this.hasStarted = true;
    this.loop.start();
  }

  accept(): void {
    this.#accepted += 1;
    this.dueAt.set(this.#accepted, this.nowMs);
    this.loop.notify();
  }

  stop(): void {
    this.stopping = this.loop.stop().then(() => {
      this.hasStopped = true;
    });
  }

  /**
   * The events that may happen next, by name. The clock only advances to the next wake, because nothing changes in
   * between.
   */
  get events(): Map<string, () => void> {
    const events = new Map<string, () => void>();
    const claim = this.#claim;
    if (claim !== undefined) events.set("look", claim.look).set("answer", claim.answer).set("fail", claim.fail);
    const [first] = this.#underWay.values();
    const last = [...this.#underWay.values()].at(-1);
    if (first !== undefined) events.set("end first", first.end).set("fail first", first.fail);
    if (last !== undefined && last !== first) events.set("end last", last.end);
    if (this.#wakes.length > 0) events.set("wake", () => this.wake()).set("wake early", () => this.#ring());
    if (!this.hasStarted) events.set("start", () => this.start());
    if (this.stopping === undefined) events.set("accept", () => this.accept()).set("stop", () => this.stop());
    return events;
  }

  /** Advances the clock to its next wake, or fails a task whose lease would expire by then, as a timeout would. */
  wake(): void {
    const [next] = this.#wakes.toSorted((a, b) => a.dueMs - b.dueMs);
    if (next === undefined) return;
    const late = [...this.#underWay].find(([task]) => (this.dueAt.get(task) ?? 0) <= next.dueMs);
    if (late !== undefined) {
      late[1].fail();
      return;
    }
    this.nowMs = Math.max(this.nowMs, next.dueMs);
    this.#ring();
  }

  /** Runs the next wake without advancing the clock: it comes too early, as after the clock was set back. */
  #ring(): void {
    const [next] = this.#wakes.toSorted((a, b) => a.dueMs - b.dueMs);
    this.#wakes = this.#wakes.filter((other) => other !== next);
    next?.wake();
  }

  /** Number of wakes that wait for the clock. */
  get wakes(): number {
    return this.#wakes.length;
  }

  /** Throws if the loop broke a guarantee, or if a task is due that no wake will find. */
  expectPromisesKept(): void {
    if (this.#faults.length > 0) throw new Error(this.#faults.join(", "));
    if (!this.hasStarted || this.stopping !== undefined) return;
    const waiting = [...this.dueAt].filter(([task]) => !this.#underWay.has(task)).map(([, dueMs]) => dueMs);
    if (waiting.length === 0 || this.#claim !== undefined || this.#underWay.size >= this.#bounds.room) return;
    const wakeAt = Math.min(...this.#wakes.map(({ dueMs }) => dueMs), Number.POSITIVE_INFINITY);
    // a lost answer is retried, and a rest ends, within a limited time after the due time
    const dueAt = Math.max(Math.min(...waiting), this.nowMs) + Math.max(10, this.#bounds.restMs ?? 0);
    if (wakeAt > dueAt) throw new Error(`due at ${dueAt} at the latest, but the next wake is at ${wakeAt}`);
  }

  /** Lets all tasks end successfully. */
  async finish(): Promise<void> {
    if (!this.hasStarted) this.start();
    await pass();
    for (let count = 0; count < 200; count += 1) {
      const { events } = this;
      const next =
        events.get("answer") ?? events.get("end first") ?? (this.dueAt.size > 0 ? events.get("wake") : undefined);
      if (next === undefined) return;
      next();
      await pass();
    }
    throw new Error("the loop does not finish");
  }
}

async function happen(ground: Ground, name: string): Promise<void> {
  ground.events.get(name)?.();
  await pass();
  ground.expectPromisesKept();
}

async function replay(bounds: Bounds, path: readonly string[]): Promise<Ground> {
  const ground = new Ground(bounds);
  for (const name of path) await happen(ground, name);
  return ground;
}

/** Calls `visit` with every path of `length` events that begins with `prefix`, and with the events possible after it. */
async function visitPaths(
  bounds: Bounds,
  { prefix, length }: { prefix: readonly string[]; length: number },
  visit: (path: readonly string[], next: readonly string[]) => Promise<void>,
): Promise<void> {
  const next = [...(await replay(bounds, prefix)).events.keys()];
  if (prefix.length >= length) return visit(prefix, next);
  for (const name of next) await visitPaths(bounds, { prefix: [...prefix, name], length }, visit);
}

async function expectGoodEnd(ground: Ground): Promise<void> {
  await ground.finish();
  ground.expectPromisesKept();
  if (ground.stopping === undefined) expect([...ground.dueAt.keys()]).toEqual([]);
  else expect(ground).toMatchObject({ hasStopped: true, wakes: 0 });
  expect(ground.loop).toMatchObject({ isClaiming: false, underWay: 0 });
}

describe("a lease loop", () => {
  const started = ["start", "accept"];
  const full = ["accept", "accept", "accept", "start", "answer"];

  it.each([
    { bounds: { room: 1, leaseMs: 20 }, prefix: [], length: 5 },
    { bounds: { room: 1, leaseMs: 20 }, prefix: started, length: 7 },
    { bounds: { room: 2, leaseMs: 20 }, prefix: started, length: 7 },
    { bounds: { room: 2, leaseMs: 20, restMs: 5 }, prefix: started, length: 7 },
    { bounds: { room: 2, leaseMs: 20 }, prefix: full, length: 9 },
  ])("misses no due task, in any order of events: $bounds after $prefix", async ({ bounds, ...paths }) => {
    let count = 0;
    await visitPaths(bounds, paths, async (path) => {
      count += 1;
      await expectGoodEnd(await replay(bounds, path));
    });
    expect(count).toBeGreaterThan(300);
  });

  it.each([
    { bounds: { room: 1, leaseMs: 20 }, prefix: [], length: 3 },
    { bounds: { room: 2, leaseMs: 20 }, prefix: started, length: 4 },
    { bounds: { room: 2, leaseMs: 20, restMs: 5 }, prefix: started, length: 4 },
    { bounds: { room: 2, leaseMs: 20 }, prefix: full, length: 6 },
  ])("misses no due task if events overlap: $bounds after $prefix", async ({ bounds, ...paths }) => {
    let count = 0;
    await visitPaths(bounds, paths, async (path, next) => {
      for (const name of next) {
        for (const second of ["accept", "stop", "end first", "answer", "wake"]) {
          for (let turns = 0; turns < MOST_TURNS; turns += 1) {
            const ground = await replay(bounds, path);
            ground.events.get(name)?.();
            await pass(turns);
            await happen(ground, second);
            await expectGoodEnd(ground);
            count += 1;
          }
        }
      }
    });
    expect(count).toBeGreaterThan(300);
  });

  it("looks less and less often at tasks that another process holds, and often again after a successful claim", async () => {
    const wakes: { at: number; wake: () => void }[] = [];
    let now = 0;
    let tasks: string[] = [];
    const loop = new LeaseLoop<string>({
      clock: {
        now: () => now,
        at(at, wake) {
          wakes.push({ at, wake });
          return () => {};
        },
        after: () => () => {},
      },
      randomness: systemRandomness,
      countRoom: () => 1,
      claim: () => Promise.resolve({ tasks, isMoreDue: false, nextDueAt: 0 }),
      perform: () => Promise.resolve(),
      onError: () => {},
    });
    loop.start();
    const pauses: number[] = [];
    for (let look = 0; look < 9; look += 1) {
      await pass();
      const next = wakes.pop();
      if (next === undefined) throw new Error("the loop sleeps for ever");
      pauses.push(next.at - now);
      now = next.at;
      tasks = look === 7 ? ["one"] : [];
      next.wake();
    }
    expect(pauses).toEqual([20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
    await pass();
    expect((wakes.pop()?.at ?? 0) - now).toBe(20);
  });

  it("retries a claim that throws synchronously like one that rejects", async () => {
    const wakes: (() => void)[] = [];
    const errors: unknown[] = [];
    let claims = 0;
    const loop = new LeaseLoop<never>({
      clock: {
        now: () => 0,
        at: (_dueMs, wake) => {
          wakes.push(wake);
          return () => {};
        },
        after: () => () => {},
      },
      randomness: systemRandomness,
      countRoom: () => 1,
      claim() {
        claims += 1;
        if (claims === 1) throw new Error("no store");
        return Promise.resolve({ tasks: [], isMoreDue: false, nextDueAt: undefined });
      },
      perform: () => Promise.resolve(),
      onError: (error) => errors.push(error),
    });
    loop.start();
    await pass();
    wakes.shift()?.();
    await pass();
    expect([claims, errors, loop.isClaiming]).toEqual([2, [new Error("no store")], false]);
  });

  it("claims nothing while it does not trust its clock, and resumes when it does", async () => {
    let isTrusted = false;
    let claims = 0;
    let look = () => {};
    const loop = new LeaseLoop<never>({
      clock: {
        now: () => 0,
        at: () => () => {},
        after(ms, run) {
          expect(ms).toBe(1_000);
          look = run;
          return () => {};
        },
      },
      randomness: systemRandomness,
      countRoom: () => 1,
      claim() {
        claims += 1;
        return Promise.resolve({ tasks: [], isMoreDue: false, nextDueAt: undefined });
      },
      perform: () => Promise.resolve(),
      onError: () => {},
      pollIntervalMs: 1_000,
      trustsClock: () => isTrusted,
    });
    loop.start();
    await pass();
    loop.notify();
    await pass();
    expect([claims, loop.isClaiming]).toEqual([0, false]);
    isTrusted = true;
    look();
    await pass();
    expect([claims, loop.isClaiming]).toEqual([1, false]);
  });

  it("uses a unique token for each claim", async () => {
    const tokens: string[] = [];
    const open = () =>
      new LeaseLoop<never>({
        clock: { now: () => 0, at: () => () => {}, after: () => () => {} },
        randomness: systemRandomness,
        countRoom: () => 1,
        claim(token) {
          tokens.push(token);
          return Promise.resolve({ tasks: [], isMoreDue: false, nextDueAt: undefined });
        },
        perform: () => Promise.resolve(),
        onError: () => {},
      });
    for (const loop of [open(), open()]) {
      loop.start();
      await pass();
      loop.notify();
      await pass();
    }
    expect(new Set(tokens).size).toBe(4);
  });

  it("claims nothing if it is stopped before it is started", async () => {
    const ground = await replay({ room: 1, leaseMs: 20 }, ["accept", "stop", "start"]);
    expect([...ground.events.keys()]).toEqual([]);
  });

  it("looks for other processes' tasks by elapsed time, whatever its clock reads", async () => {
    const looks: { ms: number; run: () => void; isCanceled: boolean }[] = [];
    let [claims, wakes] = [0, 0];
    const loop = new LeaseLoop<never>({
      clock: {
        now: () => 0,
        at() {
          wakes += 1;
          return () => {};
        },
        after(ms, run) {
          const look = { ms, run, isCanceled: false };
          looks.push(look);
          return () => {
            look.isCanceled = true;
          };
        },
      },
      randomness: systemRandomness,
      countRoom: () => 1,
      claim() {
        claims += 1;
        return Promise.resolve({ tasks: [], isMoreDue: false, nextDueAt: undefined });
      },
      perform: () => Promise.resolve(),
      onError: () => {},
      pollIntervalMs: 1_000,
    });
    loop.start();
    await pass();
    looks[0]?.run();
    await pass();
    expect([claims, wakes, looks.map(({ ms }) => ms)]).toEqual([2, 0, [1_000, 1_000]]);
    await loop.stop();
    expect(looks.map(({ isCanceled }) => isCanceled)).toEqual([true, true]);
  });
});
