// Repeatedly promotes a standby that lacks the last commits, while instances run. They have to detect, from their own memory,
// that they have submitted texts that the standby does not know.

import { setTimeout as sleep } from "node:timers/promises";
import { between } from "./between.ts";
import { type CarrierResult, runCarrierRounds } from "./carrier-rounds.ts";
import { SharedServers } from "./carrier-servers.ts";
import { type Query, readShared, waitForNone } from "./data.ts";
import { waiting } from "./open-work.ts";
import { openSmsc, texts } from "./text-rounds.ts";

const LONGEST_LOAD_MS = 600;
/** Longer than any event takes, even on a machine that is busy with other work. */
const BOUND_MS = 120_000;

export function runPromotionRounds(rounds: number, instances: number): Promise<CarrierResult> {
  return runCarrierRounds({
    rounds,
    sending: texts,
    open: () => openSmsc({ tellsEnds: false }),
    begin: () => SharedServers.begin(instances),
    async disturb({ number, servers, load, noteGone }) {
      const { postgres } = servers;
      await load.pause();
      const standbyUrl = await postgres.addStandby();
      const standby = readShared(standbyUrl).own;
      load.goOn();
      await load.waitForMore();
      await sleep(between(0, LONGEST_LOAD_MS));
      const acknowledgedBefore = load.acknowledged.length;
      await waitUntilCopied(servers.own, standby);
      // no request may be open: the standby would not know it, so a repeat would send its message again
      if (number % 2 === 0) await Promise.all([stopCopying(standby), load.pause()]);
      else {
        await stopCopying(standby);
        await load.waitForMore();
        await sleep(between(0, LONGEST_LOAD_MS));
        await load.pause();
      }
      await postgres.shutDown("killed");
      await postgres.promote();
      servers.lead(standbyUrl);
      await noteGone(acknowledgedBefore);
      load.goOn();
      await load.waitForMore();
      await load.pause();
      // instances compare their memory with the database before they send
      await waitForNone(servers.own, () => waiting, BOUND_MS);
      load.goOn();
    },
  });
}

/** Waits until the standby has everything that the primary has now. */
async function waitUntilCopied(primary: Query, standby: Query): Promise<void> {
  const [now] = await primary<{ place: string }>("SELECT pg_current_wal_lsn()::text AS place");
  await waitForNone(standby, () => `SELECT 1 WHERE pg_last_wal_replay_lsn() < '${now?.place}'`, BOUND_MS);
}

async function stopCopying(standby: Query): Promise<void> {
  await standby("ALTER SYSTEM SET primary_conninfo = ''");
  await standby("SELECT pg_reload_conf()");
  await waitForNone(standby, () => "SELECT 1 FROM pg_stat_wal_receiver", BOUND_MS);
}
