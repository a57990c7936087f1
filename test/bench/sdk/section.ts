/** `npm run bench -- sdk`: the SDK compared with other clients, and the figures of its goals. */
import { installPeers } from "../peers.ts";
import { type SectionOutput, tableLines } from "../section-output.ts";
import { timeGoal } from "../yardstick.ts";
import { type CallCost, measureCalls } from "./calls.ts";
import { type Client, ownClient, ownResource, peerClients } from "./clients.ts";
import { type ImportCost, measureImports } from "./imports.ts";
import { measureGuard } from "./int64.ts";
import { buildOwnPackage } from "./own-package.ts";
import { consumerFolder, peersFolder, peersManifestFolder } from "./places.ts";
import { measureSize } from "./sizes.ts";

export interface SdkPlan {
  /** Fresh processes for each client's import. */
  readonly imports: number;
  readonly calls: { processes: number; rounds: number; roundMs: number; warmUpMs: number };
}

const BAR = "openapi-fetch";

export async function benchSdk(plan: SdkPlan, { print, printGoal }: SectionOutput): Promise<void> {
  const own = await buildOwnPackage();
  const peers = await installPeers(peersManifestFolder, peersFolder);
  const clients = [ownClient, ...peerClients.filter(({ name }) => peers.versions.has(name))];
  const versions = [...peers.versions].map(([name, version]) => `${name} ${version}`);
  print(`\nSDK ${own.version}, built as for npm, compared with ${versions.join(", ") || "no other client"}`);
  if (peers.missing.length > 0) {
    print(`not measured, because npm could not install them: ${peers.missing.join(", ")}`);
    if (peers.failure !== undefined) print(`npm: ${peers.failure.trim().split("\n").join("\nnpm: ")}`);
  }

  await benchSizes(clients, own.hasWebhooks);
  await benchImports(clients);
  await benchCalls(clients);
  await benchGuard();

  async function benchSizes(measured: readonly Client[], hasWebhooks: boolean): Promise<void> {
    print("\nBundle of a client and its first POST: esbuild, minified, gzip -9\n");
    const programs: Pick<Client, "name" | "firstPost" | "folder">[] = [ownResource, ...measured];
    if (hasWebhooks) programs.push(webhooksAlone);
    const rows = [];
    for (const program of programs) rows.push({ name: program.name, ...(await measureSize(program)) });
    printTable(
      ["client", "kB min", "kB gzip"],
      rows.map((row) => [row.name, toKb(row.minifiedBytes), toKb(row.gzippedBytes)]),
    );
    print("");
    const one = find(rows, ownResource.name).gzippedBytes;
    const whole = find(rows, ownClient.name).gzippedBytes;
    printGoal("one POST", `${toKb(one)} kB`, "≤ 7 kB", one <= 7000);
    printGoal("whole client", `${toKb(whole)} kB`, "≤ 13 kB", whole <= 13_000);
    if (!hasWebhooks) print("webhooks        not in this build");
  }

  async function benchImports(measured: readonly Client[]): Promise<void> {
    print(`\nImport: CPU time beyond an empty module, median of ${plan.imports} fresh processes per client\n`);
    const rows = await measureImports(measured, plan.imports);
    printTable(
      ["client", "ms CPU"],
      rows.map(({ name, overEmptyMs }) => [name, overEmptyMs.toFixed(1)]),
    );
    print("");
    const { overEmptyMs } = find<ImportCost>(rows, ownClient.name);
    const nowMs = rows.find(({ name }) => name === "stripe")?.overEmptyMs;
    const { mostMs, said } = timeGoal(2, { name: "stripe", thenMs: 96, nowMs });
    printGoal("import", `${overEmptyMs.toFixed(2)} ms`, said, overEmptyMs <= mostMs);
  }

  async function benchCalls(measured: readonly Client[]): Promise<void> {
    const { processes, rounds } = plan.calls;
    print(
      `\nCalls answered in process: CPU time compared with a raw call, median of ${processes} × ${rounds} rounds\n`,
    );
    const rows = await measureCalls(measured, plan.calls);
    printTable(
      ["client", "ns CPU a call", "raw ns", "× raw"],
      rows.map((row) => [row.name, row.nanoseconds.toFixed(0), row.rawNanoseconds.toFixed(0), row.overRaw.toFixed(2)]),
    );
    print("");
    const ours = find<CallCost>(rows, ownClient.name).overRaw;
    printGoal("over raw", `${ours.toFixed(2)} ×`, "≤ 1.9 ×", ours <= 1.9);
    const bar = rows.find(({ name }) => name === BAR)?.overRaw;
    if (bar !== undefined) {
      printGoal(`/ ${BAR}`, `${(ours / bar).toFixed(2)} ×`, "≤ 1 ×", ours <= bar);
    }
  }

  async function benchGuard(): Promise<void> {
    print("\nJSON with exact integers: CPU time compared with JSON.parse, median round\n");
    const rows = await measureGuard(plan.calls);
    if (rows.length === 0) return print("not in this build: the SDK exports no parseJson");
    printTable(
      ["body", "JSON.parse µs", "parseJson µs", "added µs"],
      rows.map((row) => [
        row.body,
        row.plainMicros.toFixed(2),
        row.guardedMicros.toFixed(2),
        row.addedMicros.toFixed(2),
      ]),
    );
    print("");
    const safe = rows[0]?.addedMicros ?? Number.NaN;
    printGoal("guard, safe", `${safe.toFixed(2)} µs`, "≤ 1.5 µs", safe <= 1.5);
  }

  function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
    for (const line of tableLines(head, rows)) print(line);
  }
}

const webhooksAlone = {
  name: "@msgctl/sdk/webhooks, all of it",
  folder: consumerFolder,
  firstPost: 'export * from "@msgctl/sdk/webhooks";',
};

function find<Row extends { readonly name: string }>(rows: readonly Row[], name: string): Row {
  const row = rows.find((measured) => measured.name === name);
  if (row === undefined) throw new Error(`${name} was not measured`);
  return row;
}

function toKb(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
