/** A client's overhead on a call. A stub answers in place of the network, so that little else costs time. */
import { placeScript, runScript } from "../child.ts";
import type { Client } from "./clients.ts";
import { median, type RoundsPlan } from "./rounds.ts";

export interface CallCost {
  readonly name: string;
  /** CPU time of the median round. */
  readonly nanoseconds: number;
  /** CPU time of the raw call in the same processes. */
  readonly rawNanoseconds: number;
  /** Median of the rounds' ratios, each to the raw call of the same round. */
  readonly overRaw: number;
}

interface Rounds {
  readonly raw: readonly number[];
  readonly client: readonly number[];
}

/** Measures every client in `processes` fresh processes. The clients alternate. */
export async function measureCalls(
  clients: readonly Client[],
  { processes, ...plan }: RoundsPlan & { processes: number },
): Promise<CallCost[]> {
  const subjects = [];
  for (const { name, folder } of clients) {
    subjects.push({
      name,
      script: await placeScript(new URL("call-rounds.ts", import.meta.url), folder),
      rounds: [] as Rounds[],
    });
  }
  for (let run = 0; run < processes; run += 1) {
    for (const { name, script, rounds } of subjects) rounds.push(runScript<Rounds>(script, { name, plan }));
  }
  return subjects.map(({ name, rounds }) => {
    const raw = rounds.flatMap((process) => process.raw);
    const client = rounds.flatMap((process) => process.client);
    const ratios = client.map((nanoseconds, round) => nanoseconds / (raw[round] ?? Number.NaN));
    return { name, nanoseconds: median(client), rawNanoseconds: median(raw), overRaw: median(ratios) };
  });
}
