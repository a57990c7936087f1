import { beforeAll, describe, expect, it } from "vitest";
import { runCallRounds } from "./call-rounds.ts";
import type { CarrierResult } from "./carrier-rounds.ts";
import { ROUNDS } from "./rounds.ts";

describe("a server that is killed while a FreeSWITCH places its calls", () => {
  let result: CarrierResult;
  beforeAll(async () => {
    result = await runCallRounds(ROUNDS);
  }, 900_000);

  it("calls nobody twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("reports each call that was not placed as UNKNOWN, and never as placed", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("knows the end of each placed call", () => {
    expect(result.untold).toEqual([]);
  });

  it("places most calls despite the kills", () => {
    expect(result.acknowledged).toBeGreaterThan(ROUNDS * 20);
    expect(result.unknown).toBeLessThan(result.acknowledged / 4);
  });
});
