// Repeatedly restores a backup that is older than the carrier's record. It was made under load: the carrier has since received
// messages that are queued or being submitted in the backup.

import { join } from "node:path";
import { findZone } from "../zones.ts";
import type { Acknowledgement } from "./actions.ts";
import { between } from "./between.ts";
import type { Ends } from "./comparison.ts";
import { hasRow, waitForNone } from "./data.ts";
import { LoadedFolder, type Settled } from "./loaded-folder.ts";

/** Number of actions before each disturbance. */
const ACTIONS = [10, 100] as const;
/** How far the clock is advanced: from night to day, so that calls that waited for the morning are placed. */
const NIGHT_MS = 14 * 3_600_000;
const CALLS_BOUND_MS = 20_000;

/**
 * If a message's receipt came after the backup, the carrier sends no second receipt, and the message ends UNKNOWN after 72
 * hours. A one-time password that is queued while the clock skips the night expires without being sent.
 */
const otherEnds: Ends = { UNKNOWN: [1], EXPIRED: [0] };

/** Runs `rounds` rounds on a temporary folder. */
export async function runRestoreRounds(rounds: number, note: (line: string) => void): Promise<Settled> {
  const loaded = await LoadedFolder.begin();
  const { folder, load } = loaded;
  /** Indexes of acknowledgements that the restored database lacks by design. */
  const given = new Set<number>();
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await putOff(loaded, round);
      await loaded.load.progress(between(...ACTIONS));
      const acknowledgedBefore = load.readAcknowledgements().length;
      const backup = join(folder.parent, `backup-${round}.db`);
      await folder.run("backup", backup);
      await loaded.load.progress(between(...ACTIONS));
      if (round % 2 === 0) await letMorningCome(loaded);
      await loaded.server.end(round % 4 < 2 ? "SIGTERM" : "SIGKILL");
      // runs on this machine's clock, although the server's is hours or days ahead
      await folder.run("restore", backup);
      const acknowledged = load.readAcknowledgements();
      for (const line of await findLost(loaded, acknowledged, acknowledgedBefore)) given.add(line);
      await loaded.serve();
      note(
        `round ${round} of ${rounds}: restored, ${acknowledged.length - acknowledgedBefore} actions later than the backup`,
      );
    }
    return await loaded.settle({
      select: (acknowledged) => acknowledged.filter((_each, line) => !given.has(line)),
      otherEnds,
    });
  } finally {
    await loaded.remove();
  }
}

/** Creates calls that wait for a morning, so that each round's backup contains some. */
async function putOff(loaded: LoadedFolder, round: number): Promise<void> {
  const { batchId } = await loaded.post("voice/tts-calls", {
    messageText: `Good morning, for the ${round}th time.`,
    useCase: "MARKETING",
    customerTimezone: findZone(loaded.now(), (hour) => hour < 6),
    toNumbers: ["+12025550100", "+12025550132", "+12025550103"],
  });
  loaded.note({ key: `put-off-${round}`, kind: "batch", id: String(batchId) });
}

/** Advances the clock so that the waiting calls are placed before the backup is restored. */
async function letMorningCome(loaded: LoadedFolder): Promise<void> {
  await loaded.server.end("SIGTERM");
  loaded.offsetMs += NIGHT_MS;
  await loaded.serve();
  const waiting = () => "SELECT 1 FROM tts_calls WHERE status IN ('SCHEDULED', 'QUEUED', 'SYNTHESIZING')";
  await waitForNone(loaded.data.own, waiting, CALLS_BOUND_MS);
}

const presentQueries: Readonly<Record<Acknowledgement["kind"], (id: string) => string>> = {
  sms: (id) => `SELECT 1 FROM messages WHERE message_id = '${id}'`,
  email: (id) => `SELECT 1 FROM messages WHERE message_id = '${id}'`,
  consent: (id) => `SELECT 1 FROM consent_history WHERE contact = '${id}'`,
  merchant: (id) => `SELECT 1 FROM merchants WHERE merchant_id = '${id}'`,
  batch: (id) => `SELECT 1 FROM tts_batches WHERE batch_id = ${id}`,
  upgrade: (id) => `SELECT 1 FROM payments WHERE payment_id = '${id}'`,
};

/** Finds acknowledgements, from line `from` on, whose data the restored backup lacks. Earlier ones must never be lost. */
async function findLost(
  { data }: LoadedFolder,
  acknowledged: readonly Acknowledgement[],
  from: number,
): Promise<number[]> {
  const lost: number[] = [];
  for (const [line, { kind, id }] of acknowledged.entries()) {
    if (line >= from && !(await hasRow(data.own, presentQueries[kind](id)))) lost.push(line);
  }
  return lost;
}
