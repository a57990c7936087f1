import { beforeAll, describe, expect, it } from "vitest";
import type { CarrierResult } from "./carrier-rounds.ts";
import { ROUNDS } from "./rounds.ts";
import { runTextRounds } from "./text-rounds.ts";

describe("a server that is killed while it gives texts to a carrier that cannot be asked", () => {
  let result: CarrierResult;
  beforeAll(async () => {
    result = await runTextRounds(ROUNDS);
  }, 900_000);

  it("sent no part of them twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("lost none without saying that nobody knows, and claimed none that was not sent whole", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("knows of each that was answered for that it was delivered", () => {
    expect(result.untold).toEqual([]);
  });

  it("sent most of them, through every kill", () => {
    expect(result.acknowledged).toBeGreaterThan(ROUNDS * 20);
    expect(result.unknown).toBeLessThan(result.acknowledged / 4);
  });
});
