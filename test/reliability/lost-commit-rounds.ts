// Repeatedly loses the answers to commits of instances under load, while they submit texts to a carrier.

import { setTimeout as sleep } from "node:timers/promises";
import { between } from "./between.ts";
import { type CarrierResult, runCarrierRounds } from "./carrier-rounds.ts";
import { SharedServers } from "./carrier-servers.ts";
import { openSmsc, texts } from "./text-rounds.ts";

export interface LostCommitResult extends CarrierResult {
  /** Number of lost answers. */
  readonly lostAnswers: number;
}

/** Number of lost answers in each round. */
const LOST_ANSWERS = 12;
/** One in this many answers is lost. */
const ONE_OF = 6;
const LOOK_MS = 20;

export async function runLostCommitRounds(rounds: number, instances: number): Promise<LostCommitResult> {
  let lostAnswers = 0;
  const result = await runCarrierRounds({
    rounds,
    sending: texts,
    open: () => openSmsc({ tellsEnds: true }),
    begin: () => SharedServers.begin(instances),
    async disturb({ number, servers, load }) {
      await load.waitForMore();
      for (const { link } of servers.all) {
        link.loseCommits(() => {
          const isLost = lostAnswers < number * LOST_ANSWERS && between(0, ONE_OF) < 1;
          if (isLost) lostAnswers += 1;
          return isLost;
        });
      }
      while (lostAnswers < number * LOST_ANSWERS) await sleep(LOOK_MS);
    },
  });
  // each process knows which texts it submitted
  return { ...result, unsentUnduly: result.unsent, lostAnswers };
}
