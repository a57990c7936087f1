import { expect, it } from "vitest";
import { Pace } from "./pace.ts";

function createPace(isLoaded: boolean) {
  const clock = { now: 1_000_000, at: () => () => {} };
  const pace = new Pace({ ...clock, now: () => clock.now }, () => isLoaded);
  return { clock, pace };
}

it("takes large steps without a rest while there is time to spare", () => {
  const { pace } = createPace(false);
  pace.noteArrival();
  expect(pace.beginClaim()).toBe(32);
  pace.endClaim(undefined);
  expect(pace.restsUntil).toBeUndefined();
});

it("takes a small step and rests while sends come in to a process under load", () => {
  const { clock, pace } = createPace(true);
  pace.noteArrival();
  expect(pace.beginClaim()).toBe(16);
  pace.endClaim(clock.now);
  expect(pace.restsUntil).toBe(clock.now + 100);
  clock.now += 100;
  expect(pace.restsUntil).toBeUndefined();
  expect(pace.beginClaim()).toBe(32);
});

it("waits for no load once a message has waited for a minute", () => {
  const { clock, pace } = createPace(true);
  pace.endClaim(clock.now - 60_001);
  pace.noteArrival();
  expect(pace.beginClaim()).toBe(32);
});

it("does not rest for the hour by which a clock is set back", () => {
  const { clock, pace } = createPace(true);
  pace.noteArrival();
  pace.beginClaim();
  pace.endClaim(clock.now);
  clock.now -= 3_600_000;
  expect(pace.restsUntil).toBeUndefined();
});
