import { beforeAll, describe, expect, it } from "vitest";
import type { CarrierResult } from "./carrier-rounds.ts";
import { ROUNDS } from "./rounds.ts";
import { runTextRounds } from "./text-rounds.ts";

describe("a server that is killed while it submits texts to a carrier that cannot be asked", () => {
  let result: CarrierResult;
  beforeAll(async () => {
    result = await runTextRounds(ROUNDS);
  }, 900_000);

  it("sent no part of a text twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("reports each text that was not sent completely as UNKNOWN, and never as sent", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("recorded the delivery of each accepted text", () => {
    expect(result.untold).toEqual([]);
  });

  it("sent most texts despite the kills", () => {
    expect(result.acknowledged).toBeGreaterThan(ROUNDS * 20);
    expect(result.unknown).toBeLessThan(result.acknowledged / 4);
  });
});
