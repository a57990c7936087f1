/** `npm run bench -- cli`: msgctl compared with other command-line tools, and the figures of its goals. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Metafile } from "../built-package.ts";
import { type Server, startServer } from "../process.ts";
import { type SectionOutput, tableLines } from "../section-output.ts";
import { timeGoal } from "../yardstick.ts";
import { measureLoading } from "./loading.ts";
import { canMeter, Meter } from "./meter.ts";
import { buildOwnPackage } from "./own-package.ts";
import { type InstalledPeer, installAll, listPeers } from "./peer-programs.ts";
import { measureProcesses, ownSettings, type ProcessPlan, type World } from "./processes.ts";
import { measureInstalled, measureOwnSize } from "./sizes.ts";
import { measureTabs, type TabCost } from "./tab.ts";

export interface CliPlan extends ProcessPlan {
  /** Number of times that TAB is pressed on each line. */
  readonly tabs: number;
}

const service = fileURLToPath(new URL("service.ts", import.meta.url));

export async function benchCli(plan: CliPlan, { print, printGoal }: SectionOutput): Promise<void> {
  const metafile = await buildOwnPackage();
  const home = mkdtempSync(join(tmpdir(), "msgctl-bench-"));
  const server: Server = await startServer(["--import", "tsx", service]);
  try {
    const world = { home, origin: `http://127.0.0.1:${server.port}` };
    const { peers, missing } = await installAll(listPeers(world.origin));
    print(`\nmsgctl, built as it is packed, beside ${peers.map(({ title }) => title).join(", ") || "no other tool"}`);
    for (const lack of missing) print(`not measured, because npm could not install it: ${lack}`);
    await benchProcesses(world, peers);
    benchTabs();
    await benchLoading(metafile, world);
    benchSizes(peers);
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }

  async function benchProcesses(world: World, peers: readonly InstalledPeer[]): Promise<void> {
    print(`\nWhole processes, output to a pipe: CPU time of user and system, ${plan.rounds} rounds in turns\n`);
    if (!canMeter()) return print("not measured: it needs Python 3.9 or newer on a Unix, as python3");
    const meter = new Meter();
    try {
      const { rows, slowest, leaves, failures } = await measureProcesses(meter, plan, world, peers);
      for (const failure of failures) print(`not measured: ${failure}`);
      printTable(
        ["program", "over floor ms", "CPU ms", "least", "most", "wall ms"],
        rows.map(({ name, overFloorMs, cpuMs, wallMs }) => [
          name,
          ...[overFloorMs, cpuMs.median, cpuMs.least, cpuMs.most, wallMs].map((figure) => figure.toFixed(1)),
        ]),
      );
      print(`\nof the help of ${leaves} commands, the slowest: ${slowest.generated} and ${slowest.defined}`);
      const over = (name: string) => rows.find((row) => row.name === name)?.overFloorMs;
      const goal = (title: string, name: string, goalMs: number, [peer, thenMs]: readonly [string, number]) => {
        const measuredMs = over(name) ?? Number.NaN;
        const { mostMs, said } = timeGoal(goalMs, { name: peer, thenMs, nowMs: over(peer) });
        printGoal(title, `${measuredMs.toFixed(1)} ms`, said, measuredMs <= mostMs);
      };
      const version = ["oclif hello --version", 83] as const;
      const help = ["oclif hello --help", 84] as const;
      const leaf = ["oclif hello, a leaf's help", 84] as const;
      const get = ["commander + fetch, GET", 113] as const;
      goal("--version", "msgctl --version", 8, version);
      goal("--help", "msgctl --help", 14, help);
      goal("generated leaf", slowest.generated, 14, leaf);
      goal("defined leaf", slowest.defined, 14, leaf);
      goal("one GET", "msgctl merchants list", 40, get);
      goal("one GET, JSON", "msgctl merchants list -o json", 40, get);
    } finally {
      meter.stop();
    }
  }

  function benchTabs(): void {
    print(`\nA TAB in a shell that has read the completion script: ${plan.tabs} times each line\n`);
    const rows = measureTabs(plan.tabs);
    if (rows.length === 0) print("not measured: it needs bash 5 or zsh");
    else printTabs(rows);
  }

  function printTabs(rows: readonly TabCost[]): void {
    printTable(
      ["line", "shell", "median ms", "worst ms", "processes", "offered"],
      rows.map(({ line, shell, medianMs, worstMs, started, offered }) => [
        JSON.stringify(line.replace(/^msgctl /, "")),
        shell,
        medianMs.toFixed(2),
        worstMs.toFixed(2),
        String(started ?? "-"),
        String(offered),
      ]),
    );
    print("");
    for (const [shell, costs] of byShell(rows)) {
      const slowest = Math.max(...costs.map(({ medianMs }) => medianMs));
      printGoal(`TAB, ${shell}`, `${slowest.toFixed(2)} ms`, "≤ 5 ms", slowest <= 5);
      const started = costs.map((cost) => cost.started);
      if (started.includes(undefined)) print("processes       not counted here");
      else
        printGoal(
          "processes",
          String(Math.max(...started.map(Number))),
          "0",
          started.every((count) => count === 0),
        );
    }
  }

  async function benchLoading(built: Metafile, { home: cwd, origin }: World): Promise<void> {
    print("\nCode of msgctl that a command loads\n");
    const list = ["merchants", "list"];
    const lines: [args: string[], format?: string][] = [
      [["--version"]],
      [["--help"]],
      [["send", "sms", "--help"]],
      [["config", "path"], "table"],
      [list, "table"],
      [[...list, "-o", "json"], "json"],
    ];
    const rows = [];
    for (const [args, format] of lines) {
      const loading = await measureLoading(built, args, { cwd, env: ownSettings(origin), format });
      rows.push({ name: `msgctl ${args.join(" ")}`, ...loading });
    }
    printTable(
      ["command", "files", "kB", "libraries B", "other forms B"],
      rows.map(({ name, files, bytes, libraryBytes, unusedFormatBytes }) => [
        name,
        String(files.length),
        toKb(bytes),
        String(libraryBytes),
        String(unusedFormatBytes),
      ]),
    );
    for (const { name, files } of rows) {
      print(`\n${name}: ${files.map((file) => `${file.name} ${toKb(file.bytes)}`).join(", ")}`);
    }
    print("");
    const libraries = Math.max(...rows.map(({ libraryBytes }) => libraryBytes));
    printGoal("libraries", `${libraries} B`, "0 B", libraries === 0);
    const forms = Math.max(...rows.map(({ unusedFormatBytes }) => unusedFormatBytes));
    printGoal("other forms", `${forms} B`, "0 B", forms === 0);
  }

  function benchSizes(peers: readonly InstalledPeer[]): void {
    print("\nInstalled\n");
    const { packages, packedBytes, unpackedBytes, scriptBytes, dataBytes, optional } = measureOwnSize();
    const installed = peers.map(({ name, folder }) => ({ name, ...measureInstalled(folder) }));
    printTable(
      ["tool", "packages", "MB"],
      [
        ["msgctl", String(packages), toMb(unpackedBytes)],
        ["  its keychain, where it fits", `+ ${optional.packages}`, `+ ${toMb(optional.bytes)}`],
        ...installed.map(({ name, packages: count, bytes }) => [name, String(count), toMb(bytes)]),
      ],
    );
    print(`\nmsgctl packed   ${toKb(packedBytes)} kB; JSON beside its JavaScript ${toKb(dataBytes)} kB`);
    printGoal("packages", String(packages), "1", packages === 1);
    printGoal("JavaScript", `${toKb(scriptBytes)} kB`, "≤ 400 kB", scriptBytes <= 400_000);
  }

  function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
    for (const line of tableLines(head, rows)) print(line);
  }
}

function byShell(costs: readonly TabCost[]): Map<string, TabCost[]> {
  const shells = new Map<string, TabCost[]>();
  for (const cost of costs) shells.set(cost.shell, [...(shells.get(cost.shell) ?? []), cost]);
  return shells;
}

function toKb(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}

function toMb(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}
