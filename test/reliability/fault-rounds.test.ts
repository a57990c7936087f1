// A few of the rounds that `npm run reliability` runs many of.

import { describe, expect, it } from "vitest";
import { runClockRounds } from "./clock-rounds.ts";
import { findFaults } from "./comparison.ts";
import { runFlushRounds } from "./flush-rounds.ts";
import type { Settled } from "./loaded-folder.ts";
import { runRestoreRounds } from "./restore-rounds.ts";
import { ROUNDS } from "./rounds.ts";

const noNote = () => {};

/** Expects that no kind of fault was found in the rounds. */
function expectNoFault(result: Settled): void {
  const { surprises, denied } = result;
  expect({ ...findFaults(result), surprises, denied }).toEqual({ surprises: [], denied: [] });
}

// longer than the rounds' own time limits, so that they name what never came and no test times out
describe("a server under load", { timeout: 900_000 }, () => {
  it("loses nothing, does nothing twice and denies nothing that it did when its disk fails a flush", async () => {
    expectNoFault(await runFlushRounds(ROUNDS, noNote));
  });

  it("sends nothing twice, and has everything acknowledged before, on a backup older than its carrier's record", async () => {
    expectNoFault(await runRestoreRounds(ROUNDS, noNote));
  });

  it("does due work soon, and nothing twice, when its clock is set forward", async () => {
    const result = await runClockRounds(ROUNDS, noNote);
    expect(result.late).toEqual([]);
    expectNoFault(result);
  });
});
