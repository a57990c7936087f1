import { beforeEach, describe, expect, it } from "vitest";
import { createClockWatch } from "./clock-watch.ts";

const START_MS = Date.UTC(2026, 0, 15, 12);

/** A machine and a database with a clock each. The same time passes for both. */
class Ground {
  passedMs = 0;
  /** Offsets of the machine's clock and of the database's clock. */
  machineAheadMs = 0;
  databaseAheadMs = 0;
  tripMs = 0;
  isAway = false;
  readonly warned: string[] = [];
  #next: (() => void) | undefined;
  readonly watch = createClockWatch({
    findDatabaseTime: async () => {
      this.passedMs += this.tripMs / 2;
      const now = START_MS + this.passedMs + this.databaseAheadMs;
      this.passedMs += this.tripMs / 2;
      if (this.isAway) throw new Error("the database is away");
      return now;
    },
    clock: {
      after: (ms, run) => {
        this.#next = () => {
          this.passedMs += ms;
          run();
        };
        return () => {
          this.#next = undefined;
        };
      },
    },
    machine: { now: () => START_MS + this.passedMs + this.machineAheadMs, elapsed: () => this.passedMs },
    pollIntervalMs: 1_000,
    warn: (_details, text) => this.warned.push(text),
  });

  get hasNext(): boolean {
    return this.#next !== undefined;
  }

  /** Starts the next comparison and waits for its end. */
  async look(): Promise<void> {
    this.#next?.();
    while (this.watch.isBusy()) await undefined;
  }
}

let ground: Ground;
beforeEach(() => {
  ground = new Ground();
});

describe("a machine's clock beside the database's", () => {
  it("is trusted before the first comparison, and while both clocks agree", async () => {
    expect([ground.watch.isTrusted(), ground.watch.aheadMs()]).toEqual([true, undefined]);
    await ground.watch.start();
    expect([ground.watch.isTrusted(), ground.watch.aheadMs(), ground.watch.findNote()]).toEqual([true, 0, undefined]);
    expect(ground.warned).toEqual([]);
  });

  it.each([3_000, -3_000])("is trusted but causes one warning if it is %d ms ahead", async (aheadMs) => {
    ground.machineAheadMs = aheadMs;
    await ground.watch.start();
    await ground.look();
    expect([ground.watch.isTrusted(), ground.watch.aheadMs()]).toEqual([true, aheadMs]);
    expect(ground.warned).toEqual([expect.stringContaining("before they are 10 s apart")]);
    expect(ground.watch.findNote()).toContain("before they are 10 s apart");
    ground.machineAheadMs = 0;
    await ground.look();
    expect(ground.warned.slice(1)).toEqual([expect.stringContaining("they agree again")]);
    expect(ground.watch.findNote()).toBeUndefined();
  });

  it.each([600_000, -600_000])("is not trusted while it is %d ms ahead; both times are reported", async (aheadMs) => {
    ground.machineAheadMs = aheadMs;
    await ground.watch.start();
    const own = new Date(START_MS + aheadMs).toISOString();
    const words = `This machine's clock reads ${own}, the database's 2026-01-15T12:00:00.000Z: this instance sends nothing until they agree. Correct the wrong clock.`;
    expect([ground.watch.isTrusted(), ground.watch.findObstacle(), ground.warned]).toEqual([false, words, [words]]);
    ground.databaseAheadMs = aheadMs;
    await ground.look();
    expect([ground.watch.isTrusted(), ground.watch.findObstacle(), ground.warned.length]).toEqual([true, undefined, 2]);
  });

  it("stops being trusted as soon as it is set wrong, even between two comparisons", async () => {
    await ground.watch.start();
    ground.passedMs += 500;
    ground.machineAheadMs = 600_000;
    expect([ground.watch.isTrusted(), ground.watch.aheadMs()]).toEqual([false, 600_000]);
  });

  it("is judged with tolerance for the round-trip time", async () => {
    ground.tripMs = 1_800;
    ground.machineAheadMs = 2_800;
    await ground.watch.start();
    expect(ground.warned).toEqual([]);
    ground.tripMs = 0;
    await ground.look();
    expect(ground.warned).toHaveLength(1);
  });

  it("keeps its state while the database is unreachable or slow", async () => {
    ground.machineAheadMs = 600_000;
    await ground.watch.start();
    ground.machineAheadMs = 0;
    ground.databaseAheadMs = -600_000;
    ground.isAway = true;
    await ground.look();
    ground.isAway = false;
    ground.tripMs = 2_001;
    await ground.look();
    expect([ground.warned.length, ground.watch.aheadMs()]).toEqual([1, 0]);
    ground.tripMs = 0;
    await ground.look();
    expect([ground.watch.isTrusted(), ground.watch.aheadMs()]).toEqual([false, 600_000]);
  });

  it("is not compared again after a stop, even by a comparison in flight", async () => {
    await ground.watch.start();
    const looked = ground.look();
    await Promise.all([looked, ground.watch.stop()]);
    expect(ground.hasNext).toBe(false);
  });
});
