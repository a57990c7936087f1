import { beforeAll, describe, expect, it } from "vitest";
import type { CarrierResult } from "./carrier-rounds.ts";
import { runPromotionRounds } from "./promotion-rounds.ts";
import { runPutBackRounds } from "./put-back-rounds.ts";
import { ROUNDS } from "./rounds.ts";

describe.each([
  ["a server whose database is replaced with an older copy", () => runPutBackRounds(ROUNDS)],
  ["instances whose standby takes over without the last commits", () => runPromotionRounds(ROUNDS, 2)],
])("%s, under a load of texts to a carrier that cannot be asked,", (_which, run) => {
  let result: CarrierResult;
  beforeAll(async () => {
    result = await run();
  }, 900_000);

  it("sends no part of a text twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("reports each known text that was not sent completely as UNKNOWN, and never as sent", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("sends every text accepted after the last disturbance", () => {
    expect(result.unsentUnduly).toEqual([]);
  });

  it("is tested thoroughly: each round loses its last acknowledged texts, and the carrier accepts other texts", () => {
    expect(result.gone).toBeGreaterThanOrEqual(ROUNDS);
    expect(result.taken).toBeGreaterThan(ROUNDS * 20);
  });
});
