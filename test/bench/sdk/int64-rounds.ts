// A process of its own: prints the nanoseconds of parsing one body, by JSON.parse and by the SDK's `parseJson`, by round.
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
