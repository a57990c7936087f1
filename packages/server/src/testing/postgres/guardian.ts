// A program: starts a PostgreSQL with the settings that it is given as JSON, tells its URL in a line of JSON, and removes it
// once its standard input ends, as it does however the process ends that started it.

import { startCluster } from "./cluster.ts";

/** The one line that it prints. */
export type GuardianReport = { readonly url: string } | { readonly failure: string };

const dismissed = new Promise<void>((resolve) => {
  for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  process.stdin.resume();
});
// whoever would have read is gone
process.stdout.on("error", () => undefined);

const report = (line: GuardianReport) => process.stdout.write(`${JSON.stringify(line)}\n`);
try {
  const cluster = await startCluster(JSON.parse(process.argv[2] ?? "{}"));
  report({ url: cluster.url });
  await dismissed;
  await cluster.remove();
} catch (error) {
  report({ failure: error instanceof Error ? error.message : String(error) });
}
process.stdin.destroy();
