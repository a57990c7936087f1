import { beforeAll, describe, expect, it } from "vitest";
import type { CarrierResult } from "./carrier-rounds.ts";
import { runPromotionRounds } from "./promotion-rounds.ts";
import { runPutBackRounds } from "./put-back-rounds.ts";
import { ROUNDS } from "./rounds.ts";

describe.each([
  ["a server whose database is put back by hand", () => runPutBackRounds(ROUNDS)],
  ["instances whose standby takes over without the last commits", () => runPromotionRounds(ROUNDS, 2)],
])("%s, under texts to a carrier that cannot be asked:", (_which, run) => {
  let result: CarrierResult;
  beforeAll(async () => {
    result = await run();
  }, 900_000);

  it("no part of them is sent twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("none that is still known is lost without saying that nobody knows, or claimed that was not sent whole", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("all that was accepted after the last time is sent", () => {
    expect(result.unsentUnduly).toEqual([]);
  });

  it("what was acknowledged last is gone each time, and some is sent", () => {
    expect(result.gone).toBeGreaterThanOrEqual(ROUNDS);
    expect(result.taken).toBeGreaterThan(ROUNDS * 20);
  });
});
