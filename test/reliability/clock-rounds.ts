// Repeatedly advances a server's clock, under load and at rest. The server must do due work soon, and nothing twice.

import { findZone } from "../zones.ts";
import { between } from "./between.ts";
import type { Ends } from "./comparison.ts";
import { type Data, waitForNone } from "./data.ts";
import { LoadedFolder, type Settled } from "./loaded-folder.ts";

/** Number of actions before each disturbance. */
const ACTIONS = [10, 100] as const;
const HOUR_MS = 3_600_000;
/**
 * Hours by which the clock jumps, used in turn. Rounds alternate between rest and load, so three rounds use each jump once,
 * and six use each jump both at rest and under load.
 */
const jumps = [73, 1, 10];
/** Time in which no timer falls due, so that only a check of the clock wakes the server. */
const QUIET_MS = 25_000;
/**
 * Bound on lateness. The server checks the clock every half minute, which the preload shortens to a second. Without the check,
 * work is late by the server's whole sleep, an hour or more: far longer than a busy machine takes.
 */
const LATE_MS = 120_000;

/** Further final states of messages that are in progress when the clock jumps by 72 hours, each with the possible sends. */
const otherEnds: Ends = { EXPIRED: [0], UNKNOWN: [0, 1] };

export interface ClockResult extends Settled {
  /** Work that was due in a round and was not done. */
  readonly late: readonly string[];
}

/** Runs `rounds` rounds on a temporary folder, every second one at rest. */
export async function runClockRounds(rounds: number, note: (line: string) => void): Promise<ClockResult> {
  const loaded = await LoadedFolder.begin();
  const late: string[] = [];
  try {
    // each further round would wait again for the late work
    for (let round = 1; round <= rounds && late.length === 0; round += 1) {
      const hours = jumps[(round - 1) % jumps.length] ?? 1;
      await loaded.load.progress(between(...ACTIONS));
      const isAtRest = round % 2 === 1;
      if (isAtRest) await rest(loaded);
      await loaded.setForward(hours * HOUR_MS);
      if (isAtRest) {
        late.push(...(await findLate(loaded)).map((what) => `round ${round}, ${hours} h: ${what}`));
        loaded.load.goOn();
      }
      note(`round ${round} of ${rounds}: set forward by ${hours} h ${isAtRest ? "at rest" : "under load"}`);
    }
    return { late, ...(await loaded.settle({ otherEnds })) };
  } finally {
    await loaded.remove();
  }
}

/** Pauses the load until all remaining work is scheduled for later. */
async function rest(loaded: LoadedFolder): Promise<void> {
  await loaded.load.pause();
  const batch = {
    messageText: "Good morning.",
    useCase: "MARKETING",
    customerTimezone: findZone(loaded.now(), (hour) => hour < 6),
    toNumbers: ["+12025550100"],
  };
  const { batchId } = await loaded.post("voice/tts-calls", batch);
  loaded.note({ key: `batch ${batchId}`, kind: "batch", id: String(batchId) });
  // a message without a receipt, which is given up after 72 hours, and a payment that settles in an hour
  const { messageId } = await loaded.post("messages/sms", { to: "+12025550102", message: "Hello", type: "OTP" });
  loaded.note({ key: String(messageId), kind: "sms", id: String(messageId) });
  const { paymentId } = await loaded.post("billing/upgrade", { channel: "SMS", units: 7, paymentMethodId: "7700" });
  loaded.note({ key: String(paymentId), kind: "upgrade", id: String(paymentId) });
  await findLate(loaded, QUIET_MS);
}

const due: Readonly<Record<string, { of: keyof Data; sql: (now: number) => string }>> = {
  steps: { of: "own", sql: (now) => `SELECT 1 FROM jobs WHERE due_at <= ${now}` },
  messages: { of: "own", sql: (now) => `SELECT 1 FROM dispatches WHERE due_at <= ${now}` },
  receipts: { of: "ledger", sql: (now) => `SELECT 1 FROM events WHERE due_at <= ${now}` },
};

/** Waits until no work is due within `aheadMs` by the server's clock. Returns the work still due at the time limit. */
async function findLate(loaded: LoadedFolder, aheadMs = 0): Promise<string[]> {
  const at = loaded.now() + aheadMs;
  const kinds = Object.entries(due).map(async ([what, { of, sql }]) => {
    const isDone = await waitForNone(loaded.data[of], () => sql(aheadMs === 0 ? at : loaded.now() + aheadMs), LATE_MS);
    return isDone ? [] : [what];
  });
  return (await Promise.all(kinds)).flat();
}
