// `npm run reliability`: many rounds, and what came of them, as a table.

import { cpus } from "node:os";
import { findFaults } from "./comparison.ts";
import { runCrashRounds } from "./crash-rounds.ts";

const asked = /^--rounds=(\d{1,4})$/.exec(process.argv[2] ?? "--rounds=100")?.[1];
const rounds = Number(asked);
if (!(rounds >= 1)) {
  process.stderr.write(`expected --rounds=<1 to 9999>, received ${process.argv[2]}\n`);
  process.exit(2);
}

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model}`);
const start = performance.now();
const isTerminal = process.stderr.isTTY === true;
const result = await runCrashRounds(rounds, (line) => process.stderr.write(isTerminal ? `\r\x1b[K${line}` : ""));
if (isTerminal) process.stderr.write("\r\x1b[K");

const recovery = [...result.recoveryMs].sort((one, other) => one - other);
const at = (share: number) => recovery[Math.min(recovery.length - 1, Math.floor(share * recovery.length))] ?? 0;
const list = (values: Readonly<Record<string, number>>) =>
  Object.entries(values)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ");
const rows: [string, string | number][] = [
  ["rounds", rounds],
  ["kills", list(result.kills)],
  ["acknowledged", list(result.acknowledged as Record<string, number>)],
  ["lost", result.lost.length],
  ["not asked for", result.surplus.length],
  ["keys with two answers", result.confused.length],
  ["sent twice", result.doubled.length],
  ["ledger says otherwise", result.misreported.length],
  ["never settled", result.stuck.length],
  ["quota drift", result.drift.length],
  ["batches out of balance", result.unbalanced.length],
  ["unexpected replies", result.surprises.length],
  ["recovery", `median ${at(0.5).toFixed(0)} ms, longest ${at(1).toFixed(0)} ms`],
  ["SIGTERM under load", `exit ${result.orderlyEnd.exitCode} after ${result.orderlyEnd.tookMs.toFixed(0)} ms`],
  ["settled after", `${(result.settleMs / 1_000).toFixed(1)} s`],
  ["took", `${((performance.now() - start) / 1_000).toFixed(0)} s`],
  ["not tried", result.unsupported.join(", ") || "-"],
];
for (const [name, value] of rows) print(`${name.padEnd(24)}${value}`);

const faults = { ...findFaults(result), ...(result.surprises.length > 0 ? { surprises: result.surprises } : {}) };
for (const [name, found] of Object.entries(faults)) print(`\n${name}:\n  ${found.slice(0, 20).join("\n  ")}`);
process.exitCode = Object.keys(faults).length === 0 ? 0 : 1;
