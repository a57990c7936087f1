// `npm test` and `npm run test:*`: installs and builds what is missing, then runs the named projects of vitest.config.ts. The
// first argument names them, separated by commas; other arguments go to vitest: `npm test -- packages/sdk`.

import { spawnSync } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { root, setUp } from "./setup.mjs";

/** Each project: the command that runs it, and what it tests. @type {Record<string, [command: string, what: string]>} */
const PROJECTS = {
  fast: ["npm test", "every rule, operation, refusal and generated file, in process"],
  smoke: ["npm test", "the built msgd, msgctl and SDK send a message"],
  engines: ["npm run test:engines", "PostgreSQL"],
  product: ["npm run test:product", "the built programs and packages, browsers, examples, crashes"],
  compatibility: [
    "npm run test:compatibility",
    "tools of others: generators, Jest, msw, compilers, Firefox, versions of Node",
  ],
};

const [names = "", ...args] = process.argv.slice(2);
const projects = names.split(",");
const unknown = projects.filter((name) => !Object.hasOwn(PROJECTS, name));
if (unknown.length > 0) {
  const known = Object.keys(PROJECTS).join(", ");
  process.stderr.write(`unknown test project: ${unknown.join(", ")}. Name some of ${known}, separated by commas.\n`);
  process.exit(2);
}

await setUp();
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const { status, signal } = spawnSync(
  process.execPath,
  [vitest, "run", ...projects.map((name) => `--project=${name}`), ...args],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 128 + constants.signals[signal ?? "SIGTERM"];

const left = Object.entries(PROJECTS).filter(([name]) => !projects.includes(name));
const lines = left.map(([, [command, what]]) => `  ${command.padEnd(28)}${what}`);
if (lines.length > 0) process.stdout.write(`Not run:\n${lines.join("\n")}\n`);
