import { beforeEach, expect, it } from "vitest";
import { CarrierGate } from "./carriers.ts";

let now: number;
let gate: CarrierGate;
beforeEach(() => {
  now = 1_000_000;
  gate = new CarrierGate({ now: () => now });
});

it("the gate allows the carrier's full capacity until the carrier cannot be reached", () => {
  expect([gate.limit(8), gate.restsUntil, gate.isDown]).toEqual([8, undefined, false]);
  gate.noteReached(8);
  expect(gate.limit(8)).toBe(8);
  gate.noteUnreached();
  expect([gate.restsUntil, gate.isDown]).toEqual([now + 1_000, true]);
});

it("the gate doubles each pause, up to a minute", () => {
  const pauses = Array.from({ length: 9 }, () => {
    gate.noteUnreached();
    const pauseMs = (gate.restsUntil ?? 0) - now;
    now += pauseMs;
    return pauseMs / 1_000;
  });
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

it("the gate counts an outage once, even if many messages were in flight", () => {
  for (let lost = 0; lost < 50; lost++) gate.noteUnreached();
  expect(gate.restsUntil).toBe(now + 1_000);
});

it("the gate allows one message after a pause, and twice as many after each answer", () => {
  gate.noteUnreached();
  now += 1_000;
  expect([gate.restsUntil, gate.limit(16)]).toEqual([undefined, 1]);
  const limits = Array.from({ length: 5 }, () => {
    gate.noteReached(16);
    return gate.limit(16);
  });
  expect(limits).toEqual([2, 4, 8, 16, 16]);
  expect(gate.isDown).toBe(false);
});

it("the gate does not prolong a pause when the clock is set back", () => {
  for (let times = 0; times < 3; times++) {
    gate.noteUnreached();
    now = gate.restsUntil ?? now;
  }
  gate.noteUnreached();
  now -= 3_600_000;
  expect(gate.restsUntil).toBeUndefined();
});
