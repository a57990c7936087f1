// Runs in a separate process: prints the nanoseconds of JSON.parse and of the SDK's `parseJson` on one body, for each round.
import { measureRounds, type RoundsPlan } from "./rounds.ts";

const { text, plan } = JSON.parse(process.argv[2] ?? "") as { text: string; plan: RoundsPlan };
const specifier = "@msgctl/sdk";
const { parseJson } = (await import(specifier)) as { parseJson?: (text: string) => unknown };
const figures =
  parseJson &&
  (await measureRounds(
    [
      { name: "plain", run: () => JSON.parse(text) },
      { name: "guarded", run: () => parseJson(text) },
    ],
    plan,
  ));
process.stdout.write(JSON.stringify(figures ?? null));
