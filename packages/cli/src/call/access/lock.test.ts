/** Tests locks whose processes are killed, are paused, or interfere with each other, at every step. */
import fs, { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { folder } from "../../testing/world.ts";
import { type Lock, readMark, seize, takeLock } from "./lock.ts";

const READS: readonly string[] = ["readdirSync", "existsSync"];
const STEPS = [...READS, "mkdirSync", "writeFileSync", "rmdirSync", "renameSync", "rmSync"] as readonly "rmSync"[];
/** Called before each file system operation of a lock. */
let onStep: (name: string) => void = () => {};

beforeEach(() => {
  // fake timers, so that locks are renewed only when a test advances the time
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  for (const name of STEPS) {
    const original = fs[name];
    vi.spyOn(fs, name).mockImplementation((...args) => {
      onStep(name);
      return original(...args);
    });
  }
  syncBuiltinESMExports();
});
afterEach(() => {
  onStep = () => {};
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const { signal } = new AbortController();
const take = (path: string, clock = createFakeClock()) => takeLock(path, { clock, signal });
const deadMark = `${crypto.randomUUID()}.17`;

/** Functions that prepare the file system before a lock is taken. Each gets the path of the lock. */
const BEFORE: Readonly<Record<string, (path: string) => void>> = {
  nothing: () => {},
  "an empty folder": (path) => mkdirSync(path),
  "a dead holder": (path) => {
    mkdirSync(path);
    writeFileSync(join(path, deadMark), "");
  },
  "a folder that a killed process prepared": (path) => {
    mkdirSync(`${path}.${deadMark}`);
    writeFileSync(join(`${path}.${deadMark}`, deadMark), "");
  },
};

function begin(before: (path: string) => void) {
  const parent = folder();
  const path = join(parent, "locked");
  before(path);
  return { parent, path };
}

class Killed extends Error {}

/** Takes, renews and releases the lock, but stops before step number `at`. Returns whether there was such a step. */
async function liveUntil(lastStep: number, path: string): Promise<boolean> {
  let steps = 0;
  onStep = (name) => {
    // do not stop at reads: they change nothing, and there are thirty of them
    if (READS.includes(name)) return;
    if (steps === lastStep) throw new Killed();
    steps += 1;
  };
  try {
    const lock = await take(path);
    lock?.renew();
    lock?.release();
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  } finally {
    onStep = () => {};
  }
  return steps === lastStep;
}

it("a process gets the lock, and leaves no file behind, even if two others were killed before at any step", async () => {
  const held: string[] = [];
  for (const [name, before] of Object.entries(BEFORE)) {
    for (let first = 0, isKilled = true; isKilled; first += 1) {
      for (let second = 0, isSecondKilled = true; isSecondKilled; second += 1) {
        const { parent, path } = begin(before);
        isKilled = await liveUntil(first, path);
        isSecondKilled = await liveUntil(second, path);
        const lock = await take(path);
        const isHeld = lock?.renew();
        lock?.release();
        const left = readdirSync(parent);
        if (!isHeld || left.length > 0) held.push(`${name}, killed at ${first} and ${second}: ${isHeld}, ${left}`);
      }
    }
  }
  expect(held).toEqual([]);
});

/** Lets another process take the lock immediately, even from a live holder. Returns its lock. */
const OTHERS: Readonly<Record<string, (path: string) => Lock | undefined>> = {
  takes: (path) => seize(path, readMark(path)),
  "takes and releases": (path) => {
    seize(path, readMark(path))?.release();
    return undefined;
  },
};

/** Takes, renews and releases the lock, while other processes act before the steps with these numbers. */
function interleave(path: string, acts: readonly (readonly [step: number, other: string])[]) {
  const locks: (Lock | undefined)[] = [];
  let steps = 0;
  const beforeStep = () => {
    onStep = () => {};
    for (const [step, other] of acts) if (step === steps) locks.push(OTHERS[other]?.(path));
    steps += 1;
    onStep = beforeStep;
  };
  const countHeld = () => {
    onStep = () => {};
    return locks.filter((lock) => lock?.renew()).length;
  };
  onStep = beforeStep;
  const own = seize(path, readMark(path));
  own?.renew();
  locks.push(own);
  const heldCount = countHeld();
  locks.pop();
  onStep = beforeStep;
  own?.release();
  return { isSafe: heldCount <= 1 && countHeld() <= 1, steps };
}

it("a lock is held by at most one process, whatever two other processes do between any of its steps", () => {
  const parent = folder();
  const twice: string[] = [];
  const pairs = Object.keys(OTHERS).flatMap((one) => Object.keys(OTHERS).map((other) => [one, other] as const));
  let cases = 0;
  for (const [name, before] of Object.entries(BEFORE)) {
    for (const [one, other] of pairs) {
      let steps = 1;
      for (let first = 0; first < steps; first += 1) {
        for (let second = first; second < steps; second += 1) {
          cases += 1;
          const path = join(parent, String(cases), "locked");
          mkdirSync(join(path, ".."));
          before(path);
          const acts = [[first, one] as const, [second, other] as const];
          const outcome = interleave(path, acts);
          steps = Math.max(steps, outcome.steps);
          if (!outcome.isSafe) twice.push(`${name}: ${acts.join(" ")}`);
        }
      }
    }
  }
  expect(cases).toBeGreaterThan(300);
  expect(twice).toEqual([]);
});

it("a lock is taken from a dead holder after three seconds of checks, whatever time the clock shows", async () => {
  const { path } = begin(BEFORE["a dead holder"] as never);
  const clock = { ...createFakeClock(), now: () => Math.random() * 1e15 };
  const lock = await take(path, clock);
  expect([lock?.renew(), clock.pauses.reduce((sum, ms) => sum + ms)]).toEqual([true, 3000]);
  lock?.release();
});

it("a lock is refused as soon as its holder's timer shows that the holder is alive", async () => {
  const { path } = begin(() => {});
  const holder = await take(path);
  const clock = createFakeClock((ms) => vi.advanceTimersByTime(ms));
  expect(await take(path, clock)).toBeUndefined();
  expect(clock.pauses.length).toBeLessThan(10);
  expect(holder?.renew()).toBe(true);
});

it("a lock stays with a holder that shows its first sign of life at the last check", async () => {
  const { path } = begin(() => {});
  const holder = await take(path);
  let isRenewed = false;
  const clock = createFakeClock(() => {
    if (clock.pauses.length < 30 || isRenewed) return;
    // between the check and the rename that would take the lock over
    onStep = (name) => {
      if (name !== "renameSync") return;
      onStep = () => {};
      isRenewed = holder?.renew() === true;
    };
  });
  expect(await take(path, clock)).toBeUndefined();
  expect([isRenewed, holder?.renew()]).toEqual([true, true]);
});

it("a lock is refused if another process takes the free lock first", () => {
  const { path } = begin(() => {});
  let faster: Lock | undefined;
  onStep = (name) => {
    if (name !== "rmdirSync") return;
    onStep = () => {};
    faster = seize(path, undefined);
  };
  expect(seize(path, undefined)).toBeUndefined();
  expect(faster?.renew()).toBe(true);
});

it("a process that was paused loses its lock: it cannot renew it, and its release does not affect the new holder", async () => {
  const { path } = begin(() => {});
  const stopped = await take(path);
  const other = await take(path);
  expect(stopped?.lost.aborted).toBe(false);
  expect([stopped?.renew(), stopped?.lost.aborted, stopped?.renew()]).toEqual([false, true, false]);
  stopped?.release();
  expect(other?.renew()).toBe(true);
  other?.release();
  expect(await take(path)).toBeDefined();
});

it("a lock tells a process that was paused of its loss at the timer's next beat, before any renewal", async () => {
  const { path } = begin(() => {});
  const stopped = await take(path);
  await take(path);
  vi.advanceTimersByTime(500);
  expect(stopped?.lost.aborted).toBe(true);
});

it("a lock is refused if its holder is alive, even beside a mark that a power cut has restored", async () => {
  const { path } = begin(() => {});
  const holder = await take(path);
  for (const digit of ["0", "f"]) writeFileSync(join(path, `${deadMark.replace(/[^.-]/g, digit).slice(0, 36)}.3`), "");
  const clock = createFakeClock(() => void holder?.renew());
  expect(await take(path, clock)).toBeUndefined();
});

it.each([
  ["NFS, which reports ENOENT for a repeated rename", "ENOENT", true],
  ["Windows, where another program has the file open", "EPERM", false],
])("a lock is kept on %s", async (_, code, isDone) => {
  const { path } = begin(() => {});
  const lock = await take(path);
  const rename = vi.mocked(fs.renameSync);
  const original = rename.getMockImplementation();
  rename.mockImplementationOnce((from, to) => {
    if (isDone) original?.(from, to);
    throw Object.assign(new Error(code), { code });
  });
  expect([lock?.renew(), lock?.renew(), lock?.lost.aborted]).toEqual([true, true, false]);
  expect(rename).toHaveBeenCalledTimes(3);
  lock?.release();
  expect(readMark(path)).toBeUndefined();
});

it("takeLock reports errors of the file system", async () => {
  const { path } = begin((path) => writeFileSync(path, ""));
  await expect(take(path)).rejects.toMatchObject({ code: "ENOTDIR" });
  await expect(take(join(path, "..", "none", "locked"))).rejects.toMatchObject({ code: "ENOENT" });
});

it("takeLock ends the wait when the user interrupts", async () => {
  const { path } = begin(BEFORE["a dead holder"] as never);
  const interruption = new AbortController();
  const waiting = { clock: createFakeClock(() => interruption.abort()), signal: interruption.signal };
  await expect(takeLock(path, waiting)).rejects.toMatchObject({ exitCode: 130 });
  expect(readMark(path)).toBe(deadMark);
});
