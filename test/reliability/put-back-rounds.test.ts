import { beforeAll, describe, expect, it } from "vitest";
import type { CarrierResult } from "./carrier-rounds.ts";
import { runPutBackRounds } from "./put-back-rounds.ts";
import { ROUNDS } from "./rounds.ts";

describe("a server whose database is put back by hand under texts to a carrier that cannot be asked", () => {
  let result: CarrierResult;
  beforeAll(async () => {
    result = await runPutBackRounds(ROUNDS);
  }, 900_000);

  it("sent no part of them twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("lost none that it still knows without saying that nobody knows, and claimed none that was not sent whole", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("sent all that was accepted after the last time", () => {
    expect(result.unsentUnduly).toEqual([]);
  });

  it("lost what was acknowledged last, each time, and sent some", () => {
    expect(result.gone).toBeGreaterThanOrEqual(ROUNDS);
    expect(result.taken).toBeGreaterThan(ROUNDS * 20);
  });
});
