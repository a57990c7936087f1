import { beforeAll, describe, expect, it } from "vitest";
import { type LostCommitResult, runLostCommitRounds } from "./lost-commit-rounds.ts";
import { ROUNDS } from "./rounds.ts";

describe("instances that lose answers to commits under texts to a carrier that cannot be asked", () => {
  let result: LostCommitResult;
  beforeAll(async () => {
    result = await runLostCommitRounds(ROUNDS, 2);
  }, 900_000);

  it("sent no part of them twice", () => {
    expect(result.doubled).toEqual([]);
  });

  it("lost none, and claimed none that was not sent whole", () => {
    const { lost, claimed, stuck } = result;
    expect({ lost, claimed, stuck }).toEqual({ lost: [], claimed: [], stuck: [] });
  });

  it("lost answers in each round, and says of no text that did not leave that nobody knows", () => {
    expect(result.lostAnswers).toBeGreaterThanOrEqual(ROUNDS);
    expect({ unsent: result.unsentUnduly, untold: result.untold }).toEqual({ unsent: [], untold: [] });
  });
});
