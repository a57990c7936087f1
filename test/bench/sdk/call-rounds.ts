// Runs in a separate process: prints the nanoseconds of a raw call and of one client's call, for each round.
import { callers, callRaw, checkCall } from "./callers.ts";
import { measureRounds, type RoundsPlan } from "./rounds.ts";

const { name, plan } = JSON.parse(process.argv[2] ?? "") as { name: string; plan: RoundsPlan };
const caller = callers[name];
if (caller === undefined) throw new Error(`no call is written for ${name}`);
const call = await caller();
await checkCall("raw", callRaw);
await checkCall(name, call);
const figures = await measureRounds(
  [
    { name: "raw", run: callRaw },
    { name, run: call },
  ],
  plan,
);
process.stdout.write(JSON.stringify({ raw: figures.raw, client: figures[name] }));
process.exit(0);
