// Repeatedly replaces the database with an older copy, without a command of msgd. At its start the server has to detect, from
// its other files, that it has submitted texts that the copy does not know.

import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { between } from "./between.ts";
import { type CarrierResult, runCarrierRounds } from "./carrier-rounds.ts";
import { FolderServer } from "./carrier-servers.ts";
import { openSmsc, texts } from "./text-rounds.ts";

const LONGEST_LOAD_MS = 600;

export function runPutBackRounds(rounds: number): Promise<CarrierResult> {
  return runCarrierRounds({
    rounds,
    sending: texts,
    open: () => openSmsc({ tellsEnds: false }),
    begin: FolderServer.begin,
    async disturb({ number, servers, load, noteGone }) {
      await load.waitForMore();
      await sleep(between(0, LONGEST_LOAD_MS));
      const acknowledgedBefore = load.acknowledged.length;
      const copy = join(servers.folder, `copy-${number}.db`);
      await servers.data.run("backup", copy);
      await load.waitForMore();
      await sleep(between(0, LONGEST_LOAD_MS));
      // no request may be open: the copy would not know it, so a repeat would send its message again
      await load.pause();
      await servers.end(number % 2 === 0 ? "SIGTERM" : "SIGKILL");
      putBack(servers.data.path, copy);
      await noteGone(acknowledgedBefore);
      await servers.serve();
      load.goOn();
    },
  });
}

function putBack(folder: string, copy: string): void {
  const database = join(folder, "msgd.db");
  for (const suffix of ["", "-wal", "-shm"]) rmSync(`${database}${suffix}`, { force: true });
  copyFileSync(copy, database);
  rmSync(copy);
}
