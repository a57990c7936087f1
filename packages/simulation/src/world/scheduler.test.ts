import { describe, expect, it } from "vitest";
import { Random } from "../random.ts";
import { Trace } from "../trace.ts";
import { type Owner, Scheduler } from "./scheduler.ts";

const create = (seed = 1) => new Scheduler(new Random(seed, "order"), new Trace());

async function runAll(scheduler: Scheduler): Promise<void> {
  while (await scheduler.step());
}

describe("a scheduler", () => {
  it("has everything happen at its time, and what follows at once before the next", async () => {
    const scheduler = create();
    const happened: string[] = [];
    scheduler.at(30, "last", undefined, () => happened.push(`last at ${scheduler.now}`));
    scheduler.at(10, "first", undefined, async () => {
      await Promise.resolve();
      scheduler.in(5, "then", undefined, () => happened.push(`then at ${scheduler.now}`));
      happened.push(`first at ${scheduler.now}`);
    });
    await runAll(scheduler);
    expect(happened).toEqual(["first at 10", "then at 15", "last at 30"]);
  });

  it("orders what happens at one time by chance, and the same way for the same seed", async () => {
    const order = async (seed: number) => {
      const scheduler = create(seed);
      const happened: number[] = [];
      for (let index = 0; index < 20; index += 1) scheduler.at(1, "", undefined, () => happened.push(index));
      await runAll(scheduler);
      return happened;
    };
    expect(await order(1)).toEqual(await order(1));
    expect(await order(1)).not.toEqual(await order(2));
    expect((await order(1)).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  it("has nothing happen to what is dead or canceled, and what is paused later", async () => {
    const scheduler = create();
    const happened: string[] = [];
    const owner = (state: Partial<Owner>): Owner => ({ name: "owner", isDead: false, pausedUntil: 0, ...state });
    scheduler.at(1, "dead", owner({ isDead: true }), () => happened.push("dead"));
    scheduler.at(2, "canceled", undefined, () => happened.push("canceled")).cancel();
    scheduler.at(3, "paused", owner({ pausedUntil: 50 }), () => happened.push(`paused until ${scheduler.now}`));
    expect(scheduler.next).toBe(3);
    await runAll(scheduler);
    expect([happened, scheduler.next]).toEqual([["paused until 50"], undefined]);
  });
});
