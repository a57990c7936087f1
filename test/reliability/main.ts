// `npm run reliability`: many rounds of every kind, and what came of them, as a table.

import { cpus } from "node:os";
import { runClockRounds } from "./clock-rounds.ts";
import { findFaults } from "./comparison.ts";
import { runCrashRounds } from "./crash-rounds.ts";
import { runFlushRounds } from "./flush-rounds.ts";
import type { Settled } from "./loaded-folder.ts";
import { runRestoreRounds } from "./restore-rounds.ts";

const asked = /^--rounds=(\d{1,4})$/.exec(process.argv[2] ?? "--rounds=100")?.[1];
const rounds = Number(asked);
if (!(rounds >= 4)) {
  process.stderr.write(`expected --rounds=<4 to 9999>, received ${process.argv[2]}\n`);
  process.exit(2);
}
/** A fifth of the rounds is of each kind of fault; the rest are kills. */
const share = Math.max(1, Math.floor(rounds / 5));
const counts = { killed: rounds - 3 * share, restored: share, "flush failed": share, "clock set forward": share };

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model}`);
const start = performance.now();
const isTerminal = process.stderr.isTTY === true;
const note = (kind: string) => (line: string) => process.stderr.write(isTerminal ? `\r\x1b[K${kind}, ${line}` : "");
const crashes = await runCrashRounds(counts.killed, note("kill"));
const restores = await runRestoreRounds(counts.restored, note("restore"));
const flushes = await runFlushRounds(counts["flush failed"], note("flush"));
const clocks = await runClockRounds(counts["clock set forward"], note("clock"));
if (isTerminal) process.stderr.write("\r\x1b[K");

const results: Readonly<Record<string, Settled>> = { kill: crashes, restore: restores, flush: flushes, clock: clocks };
/** What is wrong, each named with the kind of round that showed it. */
const faults: Record<string, string[]> = {};
for (const [kind, result] of Object.entries(results)) {
  const { surprises, denied } = result;
  const late = result === clocks ? clocks.late : [];
  for (const [name, found] of Object.entries({ ...findFaults(result), surprises, denied, late })) {
    faults[name] = [...(faults[name] ?? []), ...found.map((what) => `${kind}: ${what}`)];
  }
}

const recovery = [...crashes.recoveryMs].sort((one, other) => one - other);
const at = (portion: number) => recovery[Math.min(recovery.length - 1, Math.floor(portion * recovery.length))] ?? 0;
const list = (values: Readonly<Record<string, number>>) =>
  Object.entries(values)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ");
const count = (name: string) => faults[name]?.length ?? 0;
const acknowledged: Record<string, number> = {};
for (const result of Object.values(results)) {
  for (const [kind, actions] of Object.entries(result.acknowledged)) {
    acknowledged[kind] = (acknowledged[kind] ?? 0) + actions;
  }
}
const rows: [string, string | number][] = [
  ["rounds", list(counts)],
  ["kills", list(crashes.kills)],
  ["acknowledged", list(acknowledged)],
  ["lost", count("lost")],
  ["not asked for", count("surplus")],
  ["keys with two answers", count("confused")],
  ["sent twice", count("doubled")],
  ["ledger says otherwise", count("misreported")],
  ["never settled", count("stuck")],
  ["quota drift", count("drift")],
  ["batches out of balance", count("unbalanced")],
  ["said undone, and was done", count("denied")],
  ["due, and not done soon", count("late")],
  ["unexpected replies", count("surprises")],
  ["recovery", `median ${at(0.5).toFixed(0)} ms, longest ${at(1).toFixed(0)} ms`],
  ["SIGTERM under load", `exit ${crashes.orderlyEnd.exitCode} after ${crashes.orderlyEnd.tookMs.toFixed(0)} ms`],
  ["settled after", `${(crashes.settleMs / 1_000).toFixed(1)} s`],
  ["took", `${((performance.now() - start) / 1_000).toFixed(0)} s`],
  ["not tried", [...new Set(Object.values(results).flatMap(({ unsupported }) => unsupported))].join(", ") || "-"],
];
for (const [name, value] of rows) print(`${name.padEnd(28)}${value}`);

const wrong = Object.entries(faults).filter(([, found]) => found.length > 0);
for (const [name, found] of wrong) print(`\n${name}:\n  ${found.slice(0, 20).join("\n  ")}`);
process.exitCode = wrong.length === 0 ? 0 : 1;
