// `npm run reliability`: runs many rounds of every kind, and prints their results as a table. With `--postgres`, they run on
// several instances that share a PostgreSQL.

import { randomInt } from "node:crypto";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { runFolderRounds } from "./folder-rounds.ts";
import { reportInstanceRounds } from "./instances/report.ts";
import { printReport } from "./report.ts";

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    postgres: { type: "boolean", default: false },
    instances: { type: "string", default: "3" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
  },
});

/** Exits unless the flag is a number within the range. */
function readNumber(flag: "rounds" | "instances" | "seed", least: number, most: number): number {
  const value = Number(flags[flag]);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  process.stderr.write(`expected --${flag} of ${least} to ${most}, received ${flags[flag]}\n`);
  process.exit(2);
}

const rounds = readNumber("rounds", flags.postgres ? 1 : 5, 9_999);
const instances = readNumber("instances", 2, 9);
const seed = readNumber("seed", 0, 999_999_999);

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model}`);
const isTerminal = process.stderr.isTTY === true;
const note = (line: string) => process.stderr.write(isTerminal ? `\r\x1b[K${line}` : flags.postgres ? `${line}\n` : "");
const start = performance.now();
const report = await (flags.postgres
  ? reportInstanceRounds({ instances, rounds, seed }, note)
  : runFolderRounds(rounds, note));
if (isTerminal) process.stderr.write("\r\x1b[K");
const took = `${((performance.now() - start) / 1_000).toFixed(0)} s`;
process.exitCode = printReport({ ...report, times: [...report.times, ["took", took]] }, print) ? 0 : 1;
