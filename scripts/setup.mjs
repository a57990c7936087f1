// Makes a checkout runnable: installs the packages of the lock file, compiles SQLite if no prebuilt binary fits, builds
// missing and stale packages. Plain Node, because it runs before anything is installed.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { listStale, makeDist } from "./dist.mjs";
import { inTurn } from "./lock.mjs";
import { runStep } from "./step.mjs";
import { describeMissingTools } from "./tools.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lock = join(root, ".cache", "setup-lock");
const logFile = join(root, ".cache", "setup.log");

/** A problem that the user has to solve. Its message says how. */
class SetupError extends Error {}

/** Installs and builds as far as needed, and reports its progress. If it cannot, ends the process with instructions. */
export function setUp() {
  return telling(async () => {
    requireNode();
    if (isInstalled() && sqliteLoads() && listStale(root).length === 0) return;
    await alone(async () => {
      if (!isInstalled()) await install();
      if (!sqliteLoads()) await prepareSqlite();
      await build(listStale(root));
    });
  });
}

/** @param {() => Promise<void>} work */
function alone(work) {
  return inTurn(lock, work, () =>
    process.stderr.write("Waiting for another terminal, which is setting up this folder …\n"),
  );
}

/** @param {() => Promise<void>} work */
async function telling(work) {
  try {
    await work();
  } catch (error) {
    // on a full disk, any of the writes may fail
    const words = error instanceof SetupError ? error.message : causeOf(String(error));
    if (words === undefined) throw error;
    process.stderr.write(`\n${words}\n`);
    process.exit(1);
  }
}

function requireNode() {
  const oldest = readJson("package.json").engines.node.replace(">=", "");
  const [major, minor] = oldest.split(".").map(Number);
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split(".").map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
  throw new SetupError(
    `Node ${process.versions.node} is too old: this project needs ${oldest} or later.\n` +
      "Get it from https://nodejs.org, or with a version manager, such as: nvm install --lts",
  );
}

/**
 * Whether node_modules contains the packages of package-lock.json, whoever installed them. npm writes another lock file into
 * node_modules at the end of an install, so an interrupted one does not count as complete.
 */
function isInstalled() {
  const installed = readJson("node_modules/.package-lock.json")?.packages;
  // the entry without a path is the workspace itself, which is not installed
  const wanted = Object.entries(readJson("package-lock.json").packages).filter(([path]) => path !== "");
  return wanted.every(([path, { version, integrity, optional }]) => {
    const found = installed?.[path];
    // packages for other systems are absent
    if (installed !== undefined && found === undefined) return optional === true;
    return found?.version === version && found?.integrity === integrity && existsSync(join(root, path, "package.json"));
  });
}

async function install() {
  // The build needs the packages that a production setting in the environment would omit. SQLite has its own step.
  const step = npm(["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund"]);
  const { ok, output } = await runStep("Installing packages", step, { cwd: root, logFile });
  if (!ok) throw failure("npm could not install the packages.", output);
}

async function prepareSqlite() {
  const step = npm(["rebuild", "better-sqlite3", "--ignore-scripts=false", "--foreground-scripts"]);
  const doing = "Preparing SQLite (a minute or two if it has to be compiled)";
  const { output } = await runStep(doing, step, { cwd: root, logFile });
  if (sqliteLoads()) return;
  const missing = describeMissingTools();
  if (missing === undefined) throw failure("SQLite could not be compiled.", output);
  const what = `There is no prebuilt SQLite for this machine. To compile it, ${missing}`;
  throw new SetupError(`${what}\n\nThen run the same command again. (Log: ${relative(root, logFile)})`);
}

/** @param {readonly string[]} names of packages */
async function build(names) {
  if (names.length === 0) return;
  const doing = `Building ${names.join(", ")}`;
  const { ok, output } = await makeDist(root, names, (step) => runStep(doing, step, { cwd: root, logFile }));
  if (!ok) throw failure("The build failed; the previous build is still usable.", output);
}

/** Tries SQLite in a separate process, which a truncated file could crash. */
function sqliteLoads() {
  const probe = 'new (require("better-sqlite3"))(":memory:").close()';
  const cwd = join(root, "packages/server");
  return spawnSync(process.execPath, ["-e", probe], { cwd, stdio: "ignore" }).status === 0;
}

/** @param {string} what @param {string} output */
function failure(what, output) {
  const lines = output.trimEnd().split("\n").slice(-20).join("\n").replace(/^/gm, "  ");
  const where = `The last lines of its output (complete log: ${relative(root, logFile)}):`;
  return new SetupError([`${what} ${where}`, lines, causeOf(output) ?? ""].join("\n\n"));
}

/** @param {string} text @returns what to do, if the cause is outside of this project */
function causeOf(text) {
  if (/\bENOSPC\b|no space left/i.test(text)) {
    return "The disk is full: make room, 1 GB is enough, then run the same command again.";
  }
  if (!/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.test(text)) return undefined;
  return "The network was not reached: check the connection, and what `npm config get registry proxy` prints.";
}

/** @param {string[]} args */
function npm(args) {
  const cli = process.env.npm_execpath;
  // set by other package managers too
  if (cli !== undefined && basename(cli) === "npm-cli.js") return { command: process.execPath, args: [cli, ...args] };
  // npm is a script for cmd.exe on Windows, and only a shell finds it
  return { command: "npm", args, shell: process.platform === "win32" };
}

/** @param {string} path @returns undefined if the file is missing or truncated */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), "utf8"));
  } catch {
    return undefined;
  }
}
