// Runs a few of the rounds of `npm run reliability`, which runs many.

import { describe, expect, it } from "vitest";
import { runClockRounds } from "./clock-rounds.ts";
import { findFaults } from "./comparison.ts";
import { runFlushRounds } from "./flush-rounds.ts";
import type { Settled } from "./loaded-folder.ts";
import { runRestoreRounds } from "./restore-rounds.ts";
import { ROUNDS } from "./rounds.ts";

const noNote = () => {};

/** Expects that the rounds found no fault. */
function expectNoFault(result: Settled): void {
  const { surprises, denied } = result;
  expect({ ...findFaults(result), surprises, denied }).toEqual({ surprises: [], denied: [] });
}

// longer than the rounds' own time limits, whose errors say which event did not happen
describe("a server under load", { timeout: 900_000 }, () => {
  it("loses no work, does nothing twice and never reports performed work as not done if its disk fails a flush", async () => {
    expectNoFault(await runFlushRounds(ROUNDS, noNote));
  });

  it("sends nothing twice, and keeps work from before the backup, if a backup is restored under load", async () => {
    expectNoFault(await runRestoreRounds(ROUNDS, noNote));
  });

  it("does due work soon, and nothing twice, if its clock is set forward", async () => {
    const result = await runClockRounds(ROUNDS, noNote);
    expect(result.late).toEqual([]);
    expectNoFault(result);
  });
});
