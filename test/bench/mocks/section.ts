/** `npm run bench -- mocks`: the mocks' cost to a test, compared with msw handlers that check and store nothing. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { placeScript, runScript } from "../child.ts";
import { installPeers } from "../peers.ts";
import { type SectionOutput, tableLines } from "../section-output.ts";

export interface MocksPlan {
  readonly resets: number;
  readonly rounds: number;
  readonly roundMs: number;
}

export interface MeasurePlan extends MocksPlan {
  /** The document from which @mswjs/source generates handlers, if there is one. */
  readonly generatedFrom?: string;
}

export interface Measured {
  /** Time of a reset and a seed, in milliseconds. */
  readonly resetMs: number;
  /** Rates of calls, by the name of the mock that answered them. */
  readonly rates: Readonly<Record<string, Rate>>;
}

export interface Rate {
  readonly perSecond: number;
  /** CPU time of the process per call: the figure that other work on the machine affects least. */
  readonly cpuMicros: number;
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
/** Inside the project, so that the built mocks are found. */
const folder = join(root, ".cache/bench-mocks");

export async function benchMocks(plan: MocksPlan, { print, printGoal }: SectionOutput): Promise<void> {
  const { versions, missing } = await installPeers(join(root, "test/bench/mocks/peers"), folder);
  const hasGenerated = versions.has("@mswjs/source");
  const beside = [...versions].map(([name, version]) => `${name} ${version}`).join(", ");
  print(
    `\nThe built mocks in one process; 50 concurrent calls, ${plan.rounds} × ${plan.roundMs} ms each in turns, median`,
  );
  const absent = missing.length === 0 ? "" : `; not installed: ${missing.join(", ")}`;
  print(`compared with ${beside || "the project's msw"}${absent}\n`);
  const script = await placeScript(new URL("measure.ts", import.meta.url), folder);
  const generatedFrom = hasGenerated ? { generatedFrom: join(root, "openapi.yaml") } : {};
  const { resetMs, rates } = runScript<Measured>(script, { ...plan, ...generatedFrom } satisfies MeasurePlan);
  const rows = Object.entries(rates).map(([name, { perSecond, cpuMicros }]) => [
    name,
    perSecond.toFixed(0),
    cpuMicros.toFixed(0),
  ]);
  for (const line of tableLines(["way", "calls/s", "CPU µs/call"], rows)) print(line);
  print("");
  const rate = (name: string) => rates[name]?.perSecond ?? Number.NaN;
  const direct = rate("service.fetch, sends");
  const share = (100 * rate("msw, sends")) / rate("msw, an empty handler");
  printGoal("reset + seed", `${resetMs.toFixed(2)} ms`, "≤ 5 ms", resetMs <= 5);
  printGoal("service.fetch", `${direct.toFixed(0)} /s`, "≥ 8000 /s", direct >= 8_000);
  printGoal("msw / empty", `${share.toFixed(1)} %`, "≥ 50 %", share >= 50);
}
