import { beforeAll, describe, expect, it } from "vitest";
import { type LostCommitResult, runLostCommitRounds } from "./lost-commit-rounds.ts";
import { ROUNDS } from "./rounds.ts";

describe("instances that lose answers to commits while they send texts to a carrier that cannot be asked", () => {
  let result: LostCommitResult;
  beforeAll(async () => {
    result = await runLostCommitRounds(ROUNDS, 2);
  }, 900_000);

  it("sent no part of a text twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("lost no text, and reported none as sent that was not sent completely", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("lost answers in each round, and reported no text as UNKNOWN that was not submitted", () => {
    expect(result.lostAnswers).toBeGreaterThanOrEqual(ROUNDS);
    expect({ unsent: result.unsentUnduly, untold: result.untold }).toEqual({ unsent: [], untold: [] });
  });
});
