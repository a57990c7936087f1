// Steps that were put off under a clock that was ahead, such as a machine's before it has asked a time server, would wait
// until the clock is there again: for pruning, which goes on from step to step, that is for good.

import { CLOCK_FAULT_MS } from "../../platform/clock.ts";
import { PATIENCE_MS } from "../../rules/patience.ts";
import { BEGIN_CALLS, SPEECH_SETTLED } from "../../steps/call-jobs.ts";
import { bringBackJobs } from "../../store/jobs.ts";
import type { Store } from "../../store/store.ts";

/** Steps of calls that wait for the morning: begun early, they would ring at night. */
const WAIT_FOR_MORNING = [BEGIN_CALLS, SPEECH_SETTLED];
/** The longest that any other step is put off: until a batch is given up whose acceptance broke off. */
const LONGEST_MS = PATIENCE_MS;

/** Has steps fall due now that are further ahead than they can have been put off. Each can be done early. */
export async function bringBackFarJobs(store: Store, now: number): Promise<void> {
  const latest = now + LONGEST_MS + CLOCK_FAULT_MS;
  await store.write((tx) => bringBackJobs(tx, { kinds: WAIT_FOR_MORNING, latest, now }));
}
