// A receiver that answers 410 wants nothing more at that URL: its waiting callbacks are given up, in batches too small
// to delay a request, by a step that survives a crash.

import { type CallKey, holdLines, refreshCall, refreshLine } from "../../store/callback-lines.ts";
import { giveUpCallbacks } from "../../store/callbacks.ts";
import { listGoneCalls, type TenantUrl } from "../../store/gone-urls.ts";
import { scheduleJob } from "../../store/jobs.ts";
import type { Transaction } from "../../store/store.ts";
import type { JobHandler } from "../jobs/runner.ts";

const URL_GONE = "callbacks.url-gone";
/** Callbacks given up per batch: 2 ms if each belongs to a different call. */
const BITE = 32;
/** Pause between batches, which leaves the writer to requests. */
const BREATH_MS = 2;

/** The step that gives up the callbacks waiting for the URL. */
export function goneUrlJob({ tenantId, url }: TenantUrl, dueAt: number) {
  return { tenantId, kind: URL_GONE, subject: JSON.stringify({ tenantId, url }), dueAt };
}

/** Handlers of the steps that callbacks need. */
export const callbackJobs: Readonly<Record<string, JobHandler>> = {
  [URL_GONE]: async ({ tx, now }, subject) => {
    const gone = JSON.parse(subject) as TenantUrl;
    holdLines(tx, gone.tenantId);
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

/** Gives up at most `limit` callbacks of a call whose URL is gone. Returns how many. */
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
