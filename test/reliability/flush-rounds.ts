// Repeatedly makes a disk flush of a server fail under load. Until it restarts, the server cannot know which writes are on
// disk.

import { setTimeout as sleep } from "node:timers/promises";
import { between } from "./between.ts";
import { LoadedFolder, type Settled } from "./loaded-folder.ts";

/** Number of actions before a flush fails. */
const ACTIONS = [10, 100] as const;
/** How long the first server stays up after the failure, to refuse new work. Later servers may be ended before any arrives. */
const REFUSING_MS = 1_000;

/** Runs `rounds` rounds on a temporary folder. */
export async function runFlushRounds(rounds: number, note: (line: string) => void): Promise<Settled> {
  const loaded = await LoadedFolder.begin();
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await loaded.load.progress(between(...ACTIONS));
      await loaded.server.tell("fail the next flush");
      // when /readyz answers, the requests that waited for the flush have been answered
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

/** Sends one request that must be refused: the load itself may not send any, if all of it waited for the failed flush. */
async function askInVain(loaded: LoadedFolder): Promise<void> {
  const send = { to: "+12025550100", message: "Hello", type: "OTP" };
  const outcome = await loaded.post("messages/sms", send).then(
    () => "it was accepted",
    (error: Error) => error.message,
  );
  // a server that has exited gives no answer
  if (!outcome.includes('"unavailable"')) throw new Error(`a send after the failed flush was not refused: ${outcome}`);
}
