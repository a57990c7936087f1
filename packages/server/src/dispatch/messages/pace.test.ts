import { expect, it } from "vitest";
import { Pace } from "./pace.ts";

const nothing = { oldestDueAt: undefined, isMoreDue: false };

function createPace() {
  const world = { now: 1_000_000, heldUp: 0, waitedMs: 0 };
  const pace = new Pace({ now: () => world.now }, () => world.heldUp);
  /** Claims while sends arrive, then waits until the pause after the claim is over. Returns the batch size and the pause. */
  const claim = (claimMs = 0) => {
    pace.noteArrival();
    const most = pace.beginClaim();
    world.now += claimMs;
    pace.endClaim({ oldestDueAt: world.now - world.waitedMs, isMoreDue: true });
    const restMs = (pace.restsUntil ?? world.now) - world.now;
    world.now += Math.max(restMs, 20);
    return { most, restMs };
  };
  const claimOften = () => {
    for (let count = 0; count < 40; count += 1) claim();
  };
  return { world, pace, claim, claimOften };
}

it("Pace takes the largest batches, without pauses, while no sends arrive", () => {
  const { world, pace } = createPace();
  world.heldUp = 0.5;
  expect(pace.beginClaim()).toBe(64);
  pace.endClaim({ oldestDueAt: world.now, isMoreDue: false });
  expect(pace.restsUntil).toBeUndefined();
});

it("Pace takes smaller batches while sends arrive, without pauses while the process has idle time", () => {
  expect(createPace().claim()).toEqual({ most: 32, restMs: 0 });
});

it("Pace slows down with each check that finds load, down to the lowest rate", () => {
  const { world, claim, claimOften } = createPace();
  world.heldUp = 0.5;
  expect([claim(), claim(), claim()]).toEqual([
    { most: 32, restMs: 3 },
    { most: 32, restMs: 4 },
    { most: 32, restMs: 5 },
  ]);
  claimOften();
  expect(claim()).toEqual({ most: 8, restMs: 50 });
});

it("Pace speeds up with each check that finds idle time, in proportion to the last cycle, until there are no pauses", () => {
  const { world, claim, claimOften } = createPace();
  world.heldUp = 0.5;
  claimOften();
  world.heldUp = 0.4;
  expect(claim()).toEqual({ most: 8, restMs: 36 });
  expect(claim()).toEqual({ most: 8, restMs: 28 });
  claimOften();
  expect(claim()).toEqual({ most: 32, restMs: 0 });
});

it("Pace pauses after a claim that emptied the queue while sends arrive, so that the next claim finds more", () => {
  const { world, pace } = createPace();
  pace.noteArrival();
  pace.beginClaim();
  pace.endClaim({ oldestDueAt: world.now, isMoreDue: false });
  expect(pace.restsUntil).toBe(world.now + 8);
  world.now += 8;
  expect(pace.restsUntil).toBeUndefined();
});

it("Pace does not pause after a claim that found nothing", () => {
  const { pace } = createPace();
  pace.noteArrival();
  pace.beginClaim();
  pace.endClaim(nothing);
  expect(pace.restsUntil).toBeUndefined();
});

it("Pace changes the rate at most once in 20 ms, the interval of load checks", () => {
  const { world, pace, claim } = createPace();
  world.heldUp = 0.5;
  claim();
  world.now -= 1;
  pace.noteArrival();
  expect(pace.beginClaim()).toBe(32);
  pace.endClaim(nothing);
  expect(pace.restsUntil).toBe(world.now + 3);
});

it("Pace pauses only for the part of the cycle that the claim did not use", () => {
  const { world, claim, claimOften } = createPace();
  world.heldUp = 0.5;
  claimOften();
  expect(claim(10)).toEqual({ most: 8, restMs: 40 });
  expect(claim(70)).toEqual({ most: 8, restMs: 0 });
});

it("Pace tolerates more delay for callers after a message has waited for half a second", () => {
  const { world, claim, claimOften } = createPace();
  world.heldUp = 0.5;
  claimOften();
  world.waitedMs = 501;
  claimOften();
  expect(claim()).toEqual({ most: 32, restMs: 0 });
  world.heldUp = 0.7;
  claimOften();
  expect(claim()).toEqual({ most: 8, restMs: 50 });
});

it("Pace ignores the load after a message has waited for a minute", () => {
  const { world, pace } = createPace();
  world.heldUp = 0.5;
  pace.endClaim({ oldestDueAt: world.now - 60_001, isMoreDue: true });
  pace.noteArrival();
  expect(pace.beginClaim()).toBe(64);
});

it("Pace does not pause longer if the clock is set back by an hour", () => {
  const { world, pace } = createPace();
  world.heldUp = 0.5;
  pace.noteArrival();
  pace.beginClaim();
  pace.endClaim({ oldestDueAt: world.now, isMoreDue: true });
  world.now -= 3_600_000;
  expect(pace.restsUntil).toBeUndefined();
});
