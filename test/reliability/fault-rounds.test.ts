// A few of the rounds that `npm run reliability` runs many of.

import { describe, expect, it } from "vitest";
import { runClockRounds } from "./clock-rounds.ts";
import { findFaults } from "./comparison.ts";
import { runFlushRounds } from "./flush-rounds.ts";
import { runRestoreRounds } from "./restore-rounds.ts";

/** Three servers with their loads, one after the other, on a machine that may be busy with other work. */
const BOUND_MS = 300_000;
const noNote = () => {};

describe("a server whose disk fails a flush under load", () => {
  it(
    "loses nothing, does nothing twice, and never says that nothing was changed where something was",
    async () => {
      const result = await runFlushRounds(4, noNote);
      expect({ ...findFaults(result), denied: result.denied, surprises: result.surprises }).toEqual({
        denied: [],
        surprises: [],
      });
    },
    BOUND_MS,
  );
});

describe("a server on a backup that is older than what its carrier knows", () => {
  it(
    "sends nothing twice, and has all that was acknowledged before the backup",
    async () => {
      const result = await runRestoreRounds(2, noNote);
      expect({ ...findFaults(result), surprises: result.surprises }).toEqual({ surprises: [] });
    },
    BOUND_MS,
  );
});

describe("a server whose clock is set forward", () => {
  it(
    "does soon what has fallen due, and nothing twice",
    async () => {
      const result = await runClockRounds(3, noNote);
      expect({ ...findFaults(result), late: result.late, surprises: result.surprises }).toEqual({
        late: [],
        surprises: [],
      });
    },
    BOUND_MS,
  );
});
