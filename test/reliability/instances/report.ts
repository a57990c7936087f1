import { runLostCommitRounds } from "../lost-commit-rounds.ts";
import { runPromotionRounds } from "../promotion-rounds.ts";
import { describeCarried, describeTimes, gatherCarried, listCounts, type Report } from "../report.ts";
import { drawKinds, runInstanceRounds } from "./rounds.ts";

/**
 * Runs `rounds` rounds, each with one disturbance chosen by the seed. Also runs a tenth as many rounds that promote a standby,
 * and a tenth as many that lose answers to commits, both with a carrier that cannot be asked.
 */
export async function reportInstanceRounds(
  { instances, rounds, seed }: { instances: number; rounds: number; seed: number },
  note: (line: string) => void,
): Promise<Report> {
  const kinds = drawKinds(rounds, seed).map((kind) => [kind] as const);
  const result = await runInstanceRounds({ instances, kinds, seed }, note);
  const share = Math.max(1, Math.floor(rounds / 10));
  note(`standby promoted, ${share} rounds`);
  const promoted = await runPromotionRounds(share, instances);
  note(`answers to commits lost, ${share} rounds`);
  const lost = await runLostCommitRounds(share, instances);
  return {
    results: { instances: result },
    others: {
      "broken invariants": result.broken,
      "instances that stayed away": result.absent,
      ...gatherCarried({ promoted, "commits lost": lost }),
    },
    done: [
      ["instances, seed", `${instances}, ${seed}`],
      ["rounds", listCounts({ ...result.done, "standby promoted": share, "commits lost": share })],
      ["texts, standby promoted", describeCarried(promoted)],
      [`texts, ${lost.lostAnswers} answers lost`, describeCarried(lost)],
    ],
    times: [
      ["ready again", describeTimes(result.recoveryMs)],
      ["settled", describeTimes(result.settleMs)],
      ["logs", result.logs ?? "-"],
    ],
  };
}
