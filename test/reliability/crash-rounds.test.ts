import { beforeAll, describe, expect, it } from "vitest";
import { findFaults } from "./comparison.ts";
import { type RoundsResult, runCrashRounds } from "./crash-rounds.ts";

const ROUNDS = 6;

describe(`a server that is killed ${ROUNDS} times under load`, () => {
  let result: RoundsResult;
  beforeAll(async () => {
    result = await runCrashRounds(ROUNDS, () => {});
  }, 900_000);

  it("was killed at moments of every kind, with work acknowledged in between", () => {
    expect(Object.values(result.kills).every((count) => count > 0)).toBe(true);
    for (const kind of ["sms", "email", "consent", "merchant", "batch", "upgrade"] as const) {
      expect(result.acknowledged[kind] ?? 0).toBeGreaterThan(ROUNDS);
    }
  });

  it("lost nothing that it acknowledged, did nothing twice, and has exact quotas", () => {
    expect(findFaults(result)).toEqual({});
  });

  it("answered as the contract has it, whatever happened, and refused nothing that it did", () => {
    expect({ surprises: result.surprises, denied: result.denied }).toEqual({ surprises: [], denied: [] });
  });

  it("was up again each time", () => {
    expect(result.recoveryMs).toHaveLength(ROUNDS);
  });

  it("ended with 0, not cut short, when it was told to under load", () => {
    expect(result.orderlyEnd.exitCode).toBe(0);
  });
});
