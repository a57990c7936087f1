// `npm run bench`: prints every figure as it was measured, and the ratios that the goals are about.

import { cpus } from "node:os";
import { type Measured, measureSends } from "./sends.ts";

const quick = process.argv.includes("--quick");
const load = quick ? { seconds: 2, rounds: 1, connections: 50 } : { seconds: 6, rounds: 5, connections: 50 };

const print = (line: string) => process.stdout.write(`${line}\n`);

print(
  `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown CPU"}`,
);
print(
  `SMS sends over HTTP: ${load.connections} connections, ${load.rounds} × ${load.seconds} s each in turns, median round\n`,
);
const measured = await measureSends(load);
printTable(measured);

const rate = (name: string) => measured.find((row) => row.name === name)?.requestsPerSecond ?? Number.NaN;
const ofEcho = (100 * rate("msgd")) / rate("fastify echo");
const ofPrism = rate("msgd") / rate("prism mock");
print(`\nmsgd / echo   ${ofEcho.toFixed(1)} %   goal ≥ 40 %   ${verdict(ofEcho >= 40)}`);
print(`msgd / prism  ${ofPrism.toFixed(1)} ×   goal ≥ 4 ×    ${verdict(ofPrism >= 4)}`);

function verdict(met: boolean): string {
  return met ? "met" : "NOT MET";
}

function printTable(rows: readonly Measured[]): void {
  const figure = (value: number | undefined, digits: number) => value?.toFixed(digits) ?? "-";
  const lines = [
    ["server", "req/s", "p50 ms", "p99 ms", "CPU µs/req", "MB before", "MB after", "start ms"],
    ...rows.map((row) => [
      row.name,
      figure(row.requestsPerSecond, 0),
      figure(row.p50Ms, 2),
      figure(row.p99Ms, 2),
      figure(row.cpuMicros, 1),
      figure(row.idleMb, 0),
      figure(row.loadedMb, 0),
      figure(row.startMs, 0),
    ]),
  ];
  for (const line of lines)
    print(line.map((cell, index) => (index === 0 ? cell.padEnd(18) : cell.padStart(11))).join(""));
}
