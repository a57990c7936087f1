// A few of the rounds that `npm run reliability` runs many of.

import { describe, expect, it } from "vitest";
import { runClockRounds } from "./clock-rounds.ts";
import { findFaults } from "./comparison.ts";
import { runFlushRounds } from "./flush-rounds.ts";
import type { Settled } from "./loaded-folder.ts";
import { runRestoreRounds } from "./restore-rounds.ts";
import { ROUNDS } from "./rounds.ts";

const noNote = () => {};

/** All that may be wrong with any rounds: nothing is. */
function expectNoFault(result: Settled): void {
  const { surprises, denied } = result;
  expect({ ...findFaults(result), surprises, denied }).toEqual({ surprises: [], denied: [] });
}

// longer than the rounds wait for what never comes, so that it is named, and no time runs out on it
describe("a server under load", { timeout: 900_000 }, () => {
  it("loses nothing, does nothing twice and refuses nothing that it did where its disk fails a flush", async () => {
    expectNoFault(await runFlushRounds(ROUNDS, noNote));
  });

  it("sends nothing twice, and has all that was acknowledged before, on a backup older than what its carrier knows", async () => {
    expectNoFault(await runRestoreRounds(ROUNDS, noNote));
  });

  it("does soon what has fallen due, and nothing twice, where its clock is set forward", async () => {
    const result = await runClockRounds(ROUNDS, noNote);
    expect(result.late).toEqual([]);
    expectNoFault(result);
  });
});
