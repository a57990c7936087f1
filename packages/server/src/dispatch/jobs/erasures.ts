// Goes on with erasures of recipients, in bites too small to delay a send.

import { continueErasure, ERASURE, type ErasureState } from "../../steps/erasures.ts";
import { scheduleJob } from "../../store/jobs.ts";
import type { JobHandler } from "./runner.ts";

/** Pause before the next bite: while there is more to do, which leaves the writer to requests; and while messages are open. */
const PAUSES_MS: Readonly<Record<Exclude<ErasureState, "ended">, number>> = { "under way": 2, waiting: 60 * 60_000 };

export const erasureJobs: Readonly<Record<string, JobHandler>> = {
  [ERASURE]: async ({ tx, tenantId, now }, subject) => {
    const { state } = await continueErasure(tx, Number(subject), now);
    if (state !== "ended") await scheduleJob(tx, { tenantId, kind: ERASURE, subject, dueAt: now + PAUSES_MS[state] });
  },
};
