// One of the rounds that `npm run reliability -- --postgres` runs many of.

import { beforeAll, describe, expect, it } from "vitest";
import { findFaults } from "../comparison.ts";
import type { DisturbanceKind } from "./disturbances.ts";
import { type InstanceRoundsResult, runInstanceRounds } from "./rounds.ts";

const kinds: readonly DisturbanceKind[] = [
  "connections cut",
  "PostgreSQL crashed",
  "one killed",
  "all killed",
  "PostgreSQL restarted",
  "one paused, one cut off",
];

describe("three instances on one PostgreSQL, under load", () => {
  let result: InstanceRoundsResult;
  beforeAll(async () => {
    result = await runInstanceRounds({ instances: 3, kinds: [kinds], seed: 1 }, () => {});
  }, 900_000);

  it("went through every disturbance, with acknowledged work", () => {
    expect(result.done).toEqual(Object.fromEntries(kinds.map((kind) => [kind, 1])));
    for (const kind of ["sms", "email", "consent", "merchant", "batch", "upgrade"] as const) {
      expect(result.acknowledged[kind] ?? 0).toBeGreaterThan(0);
    }
  });

  it("lost nothing acknowledged, did nothing twice, and have exact quotas", () => {
    expect({ ...findFaults(result), broken: result.broken }).toEqual({ broken: [] });
  });

  it("answered as the contract allows at all times, and denied nothing that they did", () => {
    expect({ surprises: result.surprises, denied: result.denied }).toEqual({ surprises: [], denied: [] });
  });

  it("came back by themselves each time, and exited with 0 when told to", () => {
    expect(result.absent).toEqual([]);
  });
});
