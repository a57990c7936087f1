// Brings a checkout to where it can run: installs what the lock file says, builds what is missing or stale.
// Plain Node, because it runs before anything is installed.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describeBuild, fingerprint, isFreshBuild, isInstalled, listBuildInputs } from "./freshness.mjs";
import { runStep } from "./step.mjs";
import { describeMissingTools, describeOldNode } from "./tools.mjs";
import { inTurn } from "./turn.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsup = join(root, "node_modules/tsup/dist/cli-default.js");

const lockFile = join(root, ".cache", "setup.lock");
const logFile = join(root, ".cache", "setup.log");
const buildStamp = join(root, ".cache", "built-from");

/** Installs and builds as far as needed, and says what it does. Ends the process, saying what to do, when it cannot. */
export async function setUp() {
  const done = await telling(async () => {
    const oldNode = describeOldNode(process.versions.node, readEngines());
    if (oldNode !== undefined) throw new SetupError(oldNode);
    if (isInstalled(root) && sqliteLoads() && isBuilt()) return;
    await inTurn(lockFile, bringUpToDate, tellWhomWeAwait);
    process.stderr.write("\n");
  });
  if (!done) process.exit(1);
}

/** Builds after a change of a source. Says why when that fails, and gives whether there is something new to run. */
export function buildAgain() {
  return telling(() => inTurn(lockFile, build, tellWhomWeAwait));
}

/** @param {() => Promise<void>} work @returns {Promise<boolean>} whether it went well */
async function telling(work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    return false;
  }
}

/** @param {number} pid */
function tellWhomWeAwait(pid) {
  process.stderr.write(`Waiting for the set-up that process ${pid} is doing in this folder …\n`);
}

/** What has to be done by hand, as its message says. */
class SetupError extends Error {}

async function bringUpToDate() {
  if (!isInstalled(root)) await install();
  if (!sqliteLoads()) await prepareSqlite();
  if (!isBuilt()) await build();
}

async function install() {
  const outcome = await runStep(
    {
      doing: "Installing packages",
      done: "Installed packages",
      // what a production setting in the environment would leave out is needed to build; SQLite has its own step
      ...npm(["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund"]),
    },
    { cwd: root, logFile },
  );
  if (!outcome.ok) throw new SetupError(describeFailure("npm could not install the packages.", outcome.lastLines));
}

async function prepareSqlite() {
  const outcome = await runStep(
    {
      doing: "Preparing SQLite",
      note: "a minute or two where it has to be compiled",
      done: "Prepared SQLite",
      ...npm(["rebuild", "better-sqlite3", "--ignore-scripts=false", "--foreground-scripts"]),
    },
    { cwd: root, logFile },
  );
  if (sqliteLoads()) return;
  const missing = describeMissingTools();
  if (missing.length === 0) {
    const what = outcome.ok ? "SQLite was compiled, but does not load." : "SQLite could not be compiled.";
    throw new SetupError(describeFailure(what, outcome.ok ? readFileSync(logFile, "utf8") : outcome.lastLines));
  }
  throw new SetupError(
    "There is no ready-made SQLite for this machine, and to compile it some tools are needed:\n\n" +
      `  ${missing.join("\n  ")}\n\nThen run the same command again. (What was tried: ${relative(root, logFile)})`,
  );
}

async function build() {
  // a build that is cut short must not pass for the one before it
  rmSync(buildStamp, { force: true });
  const inputs = fingerprint(root, listBuildInputs(root));
  const step = { doing: "Building", done: "Built", command: process.execPath, args: [tsup, "--silent"] };
  const outcome = await runStep(step, { cwd: root, logFile });
  if (!outcome.ok) throw new SetupError(describeFailure("The build failed.", outcome.lastLines));
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, describeBuild(root, inputs));
}

function isBuilt() {
  return existsSync(buildStamp) && isFreshBuild(root, readFileSync(buildStamp, "utf8"));
}

/** In a process of its own: a file that was cut short while it was written can take the process down. */
function sqliteLoads() {
  const probe = 'new (require("better-sqlite3"))(":memory:").close()';
  const cwd = join(root, "packages/server");
  return spawnSync(process.execPath, ["-e", probe], { cwd, stdio: "ignore" }).status === 0;
}

/** @param {string} what @param {string} lastLines */
function describeFailure(what, lastLines) {
  const indented = lastLines.replace(/^/gm, "  ");
  return `${what} The end of what was printed (all of it: ${relative(root, logFile)}):\n\n${indented}\n`;
}

/** @param {string[]} args */
function npm(args) {
  const cli = process.env.npm_execpath;
  // set by other package managers too
  if (cli !== undefined && basename(cli) === "npm-cli.js") return { command: process.execPath, args: [cli, ...args] };
  // npm is a script for cmd.exe on Windows, and only a shell finds it
  return { command: "npm", args, shell: process.platform === "win32" };
}

/** @returns {string} */
function readEngines() {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).engines.node;
}
