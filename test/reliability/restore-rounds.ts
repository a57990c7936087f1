// Puts a backup back, again and again, that is older than what the carrier knows: it was made under load, and what was
// waiting or on its way in it has gone out since.

import { join } from "node:path";
import { findZone } from "../zones.ts";
import type { Acknowledgement } from "./actions.ts";
import { between } from "./between.ts";
import type { Ends } from "./comparison.ts";
import { hasRow, waitForNone } from "./data.ts";
import { LoadedFolder, type Settled } from "./loaded-folder.ts";

/** How much a server does before something happens to it. */
const ACTIONS = [10, 100] as const;
/** From a night to a day, so that calls of the night have gone out. */
const NIGHT_MS = 14 * 3_600_000;
const CALLS_BOUND_MS = 20_000;

/**
 * A message whose receipt came after the backup is told of no more, and is over after 72 hours. A one-time password that
 * waits as the night is passed over expires, unsent.
 */
const otherEnds: Ends = { UNKNOWN: [1], EXPIRED: [0] };

/** Runs `rounds` rounds on a folder of its own, which is gone afterwards. */
export async function runRestoreRounds(rounds: number, note: (line: string) => void): Promise<Settled> {
  const loaded = await LoadedFolder.begin();
  const { folder, load } = loaded;
  /** Lines of the load's record that name what the restored database does not have, by design. */
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
      // by this machine's clock, which the server's is hours or days ahead of
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

/** Calls that wait for a morning, in the backup of each round. */
async function putOff(loaded: LoadedFolder, round: number): Promise<void> {
  const { batchId } = await loaded.post("voice/tts-calls", {
    messageText: `Good morning, for the ${round}th time.`,
    useCase: "MARKETING",
    customerTimezone: findZone(loaded.now(), (hour) => hour < 6),
    toNumbers: ["+12025550100", "+12025550132", "+12025550103"],
  });
  loaded.note({ key: `put-off-${round}`, kind: "batch", id: String(batchId) });
}

/** The calls of the night go out before the backup is put back. */
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

/** Of what was acknowledged after the backup was begun, by line, what is not in it. What came before is never lost. */
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
