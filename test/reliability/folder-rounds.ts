import { runAdapterRounds, runTwilioRounds } from "./api-rounds.ts";
import { runClockRounds } from "./clock-rounds.ts";
import { runCrashRounds } from "./crash-rounds.ts";
import { runFlushRounds } from "./flush-rounds.ts";
import { runPutBackRounds } from "./put-back-rounds.ts";
import { describeCarried, describeTimes, gatherCarried, listCounts, type Report } from "./report.ts";
import { runRestoreRounds } from "./restore-rounds.ts";

/**
 * Runs rounds of every kind on data folders: a fifth of the rounds for each kind of fault, and kills in the others. As many
 * kills as in a fifth follow for each carrier over HTTP.
 */
export async function runFolderRounds(rounds: number, note: (line: string) => void): Promise<Report> {
  const share = Math.max(1, Math.floor(rounds / 5));
  const counts = {
    killed: rounds - 4 * share,
    restored: share,
    "put back by hand": share,
    "flush failed": share,
    "clock set forward": share,
  };
  const noteOf = (kind: string) => (line: string) => note(`${kind}, ${line}`);
  const kill = await runCrashRounds(counts.killed, noteOf("kill"));
  const restore = await runRestoreRounds(counts.restored, noteOf("restore"));
  note("put back by hand");
  const putBack = await runPutBackRounds(counts["put back by hand"]);
  const flush = await runFlushRounds(counts["flush failed"], noteOf("flush"));
  const clock = await runClockRounds(counts["clock set forward"], noteOf("clock"));
  note("texts over an adapter");
  const adapter = await runAdapterRounds(share);
  note("texts over Twilio");
  const twilio = await runTwilioRounds(share);
  const { exitCode, tookMs } = kill.orderlyEnd;
  return {
    results: { kill, restore, flush, clock },
    others: {
      "due, and not done soon": clock.late,
      "outside of the protocol": adapter.faults,
      ...gatherCarried({ "put back": putBack, adapter, Twilio: twilio }),
    },
    done: [
      ["rounds", listCounts(counts)],
      ["kills", listCounts(kill.kills)],
      ["texts, put back by hand", describeCarried(putBack)],
      ["texts over an adapter", describeCarried(adapter)],
      ["texts over Twilio", describeCarried(twilio)],
    ],
    times: [
      ["recovery", describeTimes(kill.recoveryMs)],
      ["SIGTERM under load", `exit ${exitCode} after ${tookMs.toFixed(0)} ms`],
      ["settled after", `${(kill.settleMs / 1_000).toFixed(1)} s`],
    ],
  };
}
