// Runs one of the rounds of `npm run reliability -- --postgres`, which runs many.

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

  it("went through every disturbance, and acknowledged work", () => {
    expect(result.done).toEqual(Object.fromEntries(kinds.map((kind) => [kind, 1])));
    for (const kind of ["sms", "email", "consent", "merchant", "batch", "upgrade"] as const) {
      expect(result.acknowledged[kind] ?? 0).toBeGreaterThan(0);
    }
  });

  it("lost no acknowledged work, did nothing twice, and have exact quotas", () => {
    expect({ ...findFaults(result), broken: result.broken }).toEqual({ broken: [] });
  });

  it("always answered as the contract allows, and performed no action that they reported as not done", () => {
    expect({ surprises: result.surprises, denied: result.denied }).toEqual({ surprises: [], denied: [] });
  });

  it("recovered without help after each disturbance, and exited with 0 on SIGTERM", () => {
    expect(result.absent).toEqual([]);
  });
});
