import { beforeAll, describe, expect, it } from "vitest";
import { findFaults } from "./comparison.ts";
import { type RoundsResult, runCrashRounds } from "./crash-rounds.ts";
import { ROUNDS } from "./rounds.ts";

/** At least one kill for each kind of moment. */
const KILLS = Math.max(3, ROUNDS);

describe("a server that is killed under load", () => {
  let result: RoundsResult;
  beforeAll(async () => {
    result = await runCrashRounds(KILLS, () => {});
  }, 900_000);

  it("was killed at every kind of moment, and acknowledged work in between", () => {
    expect(Object.values(result.kills).every((count) => count > 0)).toBe(true);
    for (const kind of ["sms", "email", "consent", "merchant", "batch", "upgrade"] as const) {
      expect(result.acknowledged[kind] ?? 0).toBeGreaterThan(KILLS);
    }
  });

  it("lost no acknowledged work, did nothing twice, and had exact quotas", () => {
    expect(findFaults(result)).toEqual({});
  });

  it("always answered as the contract allows, and performed no action that it reported as not done", () => {
    expect({ surprises: result.surprises, denied: result.denied }).toEqual({ surprises: [], denied: [] });
  });

  it("started again after each kill", () => {
    expect(result.recoveryMs).toHaveLength(KILLS);
  });

  it("exited with 0 on SIGTERM under load, without cutting work short", () => {
    expect(result.orderlyEnd.exitCode).toBe(0);
  });
});
