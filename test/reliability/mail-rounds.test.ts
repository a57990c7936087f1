import { beforeAll, describe, expect, it } from "vitest";
import type { CarrierResult } from "./carrier-rounds.ts";
import { runMailRounds } from "./mail-rounds.ts";
import { ROUNDS } from "./rounds.ts";

describe("a server that is killed while it submits emails to a carrier that cannot be asked", () => {
  let result: CarrierResult;
  beforeAll(async () => {
    result = await runMailRounds(ROUNDS);
  }, 900_000);

  it("sent no email twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("reports each email that was not sent as UNKNOWN, and never as sent", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("sent most emails despite the kills", () => {
    expect(result.acknowledged).toBeGreaterThan(ROUNDS * 20);
    expect(result.unknown).toBeLessThan(result.acknowledged / 4);
  });
});
