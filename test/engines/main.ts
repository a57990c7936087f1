// Prints which suites pass on database engines that speak PostgreSQL's protocol:
//
//   npx tsx test/engines/main.ts postgres-18=postgres://role:password@host:5432/database … [--suites store,instances]
//
// The role must be allowed to create databases. If no engine is named, the suites run on PostgreSQL from the npm package.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const server = "packages/server/src";
const suites = {
  store: `${server}/store/`,
  domain: `${server}/domain/`,
  dispatch: `${server}/dispatch/`,
  instances: `${server}/instances-`,
  commands: `${server}/commands/`,
} as const;
type Suite = keyof typeof suites;

/** vitest's JSON report of one file. */
interface FileResult {
  readonly name: string;
  readonly status: "passed" | "failed";
  readonly message: string;
  readonly assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { suites: { type: "string", default: "store" } },
});
/** Timeouts, because a test may wait forever on an engine. */
const patience = ["--testTimeout", "60000", "--hookTimeout", "60000"];

const chosen = values.suites.split(",").map((name) => {
  if (name in suites) return name as Suite;
  throw new Error(`--suites: expected some of ${Object.keys(suites).join(",")}, received "${name}"`);
});
const engines = positionals.length === 0 ? ["npm="] : positionals;

const table = [["engine", ...chosen]];
const failures: string[] = [];
for (const engine of engines) {
  const [name = "", url = ""] = engine.split(/=(.*)/s);
  const files = await runSuites(url);
  table.push([name, ...chosen.map((suite) => summarize(files.filter((file) => file.name.includes(suites[suite]))))]);
  for (const file of files) failures.push(...describeFailures(file).map((text) => `${name}: ${text}`));
}
const widths = ["engine", ...chosen].map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
for (const line of failures) console.log(line);

/** Runs the chosen suites on the engine at `url`. */
async function runSuites(url: string): Promise<FileResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-engine-"));
  try {
    const file = join(folder, "result.json");
    const args = ["vitest", "run", "--project", "postgres", "--reporter", "json", "--outputFile", file, ...patience];
    const child = spawn("npx", [...args, ...chosen.map((suite) => suites[suite])], {
      env: { ...process.env, TEST_DATABASE_URL: url },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const written: string[] = [];
    child.stderr.setEncoding("utf8").on("data", (text) => written.push(text));
    await once(child, "close");
    // no report exists, because no test ran
    return readResult(file) ?? [{ name: Object.values(suites).join(), status: "failed", ...lastWords(written) }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readResult(file: string): FileResult[] | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")).testResults;
  } catch {
    return undefined;
  }
}

function lastWords(written: readonly string[]): Pick<FileResult, "message" | "assertionResults"> {
  return { message: written.join("").trim().slice(-2_000), assertionResults: [] };
}

/** Formats `117 of 120`. Tests of a file that could not be loaded are not counted. */
function summarize(files: readonly FileResult[]): string {
  const tests = files.flatMap((file) => file.assertionResults);
  const passed = tests.filter(({ status }) => status === "passed");
  const broken = files.filter(({ status, assertionResults }) => status === "failed" && assertionResults.length === 0);
  return `${passed.length} of ${tests.length}${broken.length === 0 ? "" : `, ${broken.length} files not run`}`;
}

/** Returns the first line of each failure. */
function describeFailures({ name, message, status, assertionResults }: FileResult): string[] {
  const [first = ""] = message.split("\n");
  if (status === "failed" && assertionResults.length === 0) return [`${name}: ${first}`];
  return assertionResults
    .filter((test) => test.status === "failed")
    .map(({ fullName, failureMessages: [why = ""] }) => `${fullName}: ${why.split("\n", 1)[0]}`);
}
