import { describeTimes, listCounts, type Report } from "../report.ts";
import { drawKinds, runInstanceRounds } from "./rounds.ts";

/** Runs so many rounds, each with one disturbance that the seed decides. */
export async function reportInstanceRounds(
  { instances, rounds, seed }: { instances: number; rounds: number; seed: number },
  note: (line: string) => void,
): Promise<Report> {
  const kinds = drawKinds(rounds, seed).map((kind) => [kind] as const);
  const result = await runInstanceRounds({ instances, kinds, seed }, note);
  return {
    results: { instances: result },
    others: { "broken invariants": result.broken, "instances that stayed away": result.absent },
    done: [
      ["instances, seed", `${instances}, ${seed}`],
      ["rounds", listCounts(result.done)],
    ],
    times: [
      ["ready again", describeTimes(result.recoveryMs)],
      ["settled", describeTimes(result.settleMs)],
      ["logs", result.logs ?? "-"],
    ],
  };
}
