// A program that starts PostgreSQL with the settings given as JSON, and prints its URL in a line of JSON. It executes the
// orders on its standard input. When the input ends, even because the starting process was killed, it removes PostgreSQL.

import { createInterface } from "node:readline";
import { type Cluster, type ShutdownMode, startCluster } from "./cluster.ts";

/** An order, sent as a line of JSON on standard input. */
export type GuardianOrder = { readonly shutDown: ShutdownMode } | "start again" | "add a standby" | "promote";

/** The line that is printed when PostgreSQL runs, and after each order. `url` is that of the standby if one was added. */
export type GuardianReport = { readonly url: string } | { readonly failure: string };

const dismissed = new Promise<void>((resolve) => {
  for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
});
const orders = createInterface({ input: process.stdin });
// ignored: the reader has ended
process.stdout.on("error", () => undefined);

try {
  const cluster = await startCluster(JSON.parse(process.argv[2] ?? "{}"));
  report({ url: cluster.url });
  orders.on("line", async (line) => {
    await obey(cluster, JSON.parse(line)).then((url) => report({ url }), reportFailure);
  });
  await dismissed;
  await cluster.remove();
} catch (error) {
  reportFailure(error);
}
process.stdin.destroy();

function report(line: GuardianReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function reportFailure(error: unknown): void {
  report({ failure: error instanceof Error ? error.message : String(error) });
}

async function obey(cluster: Cluster, order: GuardianOrder): Promise<string> {
  if (order === "add a standby") return cluster.addStandby();
  if (order === "promote") await cluster.promote();
  else if (order === "start again") await cluster.startAgain();
  else await cluster.shutDown(order.shutDown);
  return cluster.url;
}
