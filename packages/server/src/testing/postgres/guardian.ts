// A program that starts a PostgreSQL with the settings that it gets as JSON, and prints its URL in a line of JSON.
// Removes it once its standard input ends, as it does however the starting process ends. Until then it obeys the lines
// there.

import { createInterface } from "node:readline";
import { type Cluster, type ShutdownMode, startCluster } from "./cluster.ts";

/** A line of its input, as JSON. */
export type GuardianOrder = { readonly shutDown: ShutdownMode } | "start again" | "add a standby" | "promote";

/** The line that it prints when PostgreSQL runs, and after each order; the URL is the standby's if one was added. */
export type GuardianReport = { readonly url: string } | { readonly failure: string };

const dismissed = new Promise<void>((resolve) => {
  for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
});
const orders = createInterface({ input: process.stdin });
// the reader is gone
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
