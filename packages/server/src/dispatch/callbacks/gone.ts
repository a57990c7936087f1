// A receiver that answers 410 wants nothing more at that URL: what waits for it is given up, in bites so small that no
// request waits for them, and by a step that outlives a crash.

import { type CallKey, refreshCall, refreshLine } from "../../store/callback-lines.ts";
import { giveUpCallbacks } from "../../store/callbacks.ts";
import { listGoneCalls, type TenantUrl } from "../../store/gone-urls.ts";
import { scheduleJob } from "../../store/jobs.ts";
import type { Transaction } from "../../store/store.ts";
import type { JobHandler } from "../jobs/runner.ts";

const URL_GONE = "callbacks.url-gone";
/** Callbacks that one bite gives up: 2 ms where each is of a call of its own. */
const BITE = 32;
/** Between bites: requests have the writer for themselves meanwhile. */
const BREATH_MS = 2;

/** The step that gives up what waits for the URL. */
export function goneUrlJob({ tenantId, url }: TenantUrl, dueAt: number) {
  return { tenantId, kind: URL_GONE, subject: JSON.stringify({ tenantId, url }), dueAt };
}

/** Handlers of the steps that callbacks need. */
export const callbackJobs: Readonly<Record<string, JobHandler>> = {
  [URL_GONE]: async ({ tx, now }, subject) => {
    const gone = JSON.parse(subject) as TenantUrl;
    const calls = await listGoneCalls(tx, gone, BITE);
    const [first] = calls;
    if (first === undefined) return;
    let left = BITE;
    for (const call of calls) {
      if (left === 0) break;
      left -= await giveUpGoneCall(tx, call, { limit: left, now });
    }
    // one URL has one receiver
    await refreshLine(tx, first, now);
    await scheduleJob(tx, goneUrlJob(gone, now + BREATH_MS));
  },
};

/** Gives up to `limit` callbacks up of a call whose URL is gone. Returns how many. */
export async function giveUpGoneCall(
  tx: Transaction,
  call: CallKey,
  { limit, now }: { limit: number; now: number },
): Promise<number> {
  const { requestId } = call;
  const given = await giveUpCallbacks(tx, { requestId, limit, lastOutcome: "410", now });
  await refreshCall(tx, call);
  return given;
}
