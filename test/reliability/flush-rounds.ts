// Has the disk of a server under load fail a flush, again and again: what is on it then nobody knows before a restart.

import { setTimeout as sleep } from "node:timers/promises";
import { between } from "./between.ts";
import { LoadedFolder, type Settled } from "./loaded-folder.ts";

/** How much a server does before a flush fails. */
const ACTIONS = [10, 100] as const;
/** How long the first one is left to refuse what comes then: the others may end before anything does. */
const REFUSING_MS = 1_000;

/** Runs `rounds` rounds on a folder of its own, which is gone afterwards. */
export async function runFlushRounds(rounds: number, note: (line: string) => void): Promise<Settled> {
  const loaded = await LoadedFolder.begin();
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await loaded.load.progress(between(...ACTIONS));
      await loaded.server.tell("fail the next flush");
      // whoever waited for it has his answer once this is answered
      await fetch(`${loaded.server.baseUrl}/readyz`);
      await askInVain(loaded);
      if (round === 1) await sleep(REFUSING_MS);
      await loaded.server.end(round % 2 === 0 ? "SIGTERM" : "SIGKILL");
      await loaded.serve();
      note(`round ${round} of ${rounds}: a flush failed, and the server was started again`);
    }
    return await loaded.settle();
  } finally {
    await loaded.remove();
  }
}

/** Whatever the load does then: it may have been waiting for that flush, all of it. */
async function askInVain(loaded: LoadedFolder): Promise<void> {
  const send = { to: "+12025550100", message: "Hello", type: "OTP" };
  const outcome = await loaded.post("messages/sms", send).then(
    () => "it was taken",
    (error: Error) => error.message,
  );
  // a server that is gone refuses nothing
  if (!outcome.includes('"unavailable"'))
    throw new Error(`a send after a flush that failed was not refused: ${outcome}`);
}
