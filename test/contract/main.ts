// `npm run contract:changes` compares openapi.yaml and the events of messages with the last release, and fails on a breaking
// change that test/contract/intended-breaks.yaml does not list. `npm run record:contract` records both as released.

import { relative } from "node:path";
import { findBreakingChanges, NO_OASDIFF, oasdiff } from "./changes.ts";
import { intendedPath, judge, readContract, readIntended, recordContract, recordedFolder } from "./release.ts";

if (process.argv.includes("--record")) recordContract();
else if (oasdiff === undefined) process.stderr.write(`Skipped: ${NO_OASDIFF}\n`);
else await check();

async function check(): Promise<void> {
  const released = readContract(recordedFolder);
  const faults = judge(await findBreakingChanges(released, readContract()), readIntended());
  if (faults.length === 0) return;
  const { version } = released.info as { version: string };
  process.stderr.write(
    `${faults.map((fault) => `- ${fault}\n`).join("")}
These changes break clients of ${version}. If a change is intended, name it in CHANGELOG.md, and list it with its reason in
${relative(process.cwd(), intendedPath)}. docs/upgrading.md says what is promised.\n`,
  );
  process.exitCode = 1;
}
