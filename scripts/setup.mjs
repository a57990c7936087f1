// Makes a checkout runnable: installs the packages of the lock file, compiles SQLite if no prebuilt binary fits, builds
// missing and stale packages. Plain Node, because it runs before anything is installed.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { listStale, makeDist } from "./dist.mjs";
import { inTurn } from "./lock.mjs";
import { runStep, timed } from "./step.mjs";
import { describeMissingTools } from "./tools.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lock = join(root, ".cache", "setup-lock");
/** Each step has its own log: two of them run at the same time. */
const logs = {
  install: join(root, ".cache", "setup-install.log"),
  sqlite: join(root, ".cache", "setup-sqlite.log"),
  build: join(root, ".cache", "setup-build.log"),
};

/** A problem that the user has to solve. Its message says how. */
class SetupError extends Error {}

/**
 * Installs and builds as far as needed, and reports its progress. If it cannot, ends the process with instructions.
 *
 * @param {{ withSqlite?: boolean }} [options] `withSqlite: false` if nothing that loads SQLite runs on this machine
 */
export function setUp({ withSqlite = true } = {}) {
  const lacksSqlite = () => withSqlite && !sqliteLoads();
  return telling(async () => {
    requireNode();
    if (isInstalled() && !lacksSqlite() && listStale(root).length === 0) return;
    await alone(async () => {
      if (!isInstalled()) await timed("Installing packages", install, installedShare);
      await prepare(lacksSqlite());
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

/** The share of the wanted packages that are installed: `63 %`. */
function installedShare() {
  const wanted = Object.keys(readJson("package-lock.json").packages).filter((path) => path !== "");
  const found = wanted.filter((path) => existsSync(join(root, path, "package.json")));
  return `${Math.floor((100 * found.length) / wanted.length)} %`;
}

/** The file that the compiler of SQLite has begun last: `sqlite3.c`. Empty before the first. */
function compiledFile() {
  const output = existsSync(logs.sqlite) ? readFileSync(logs.sqlite, "utf8") : "";
  // make writes a line for each file before it compiles it
  const [, name, ending] = [...output.matchAll(/^ +(?:CC|CXX)\(target\) \S+\/(\w+)\.o( .*)?$/gm)].at(-1) ?? [];
  return name === undefined ? "" : `compiling ${name}${ending ?? ""}`;
}

async function install() {
  // The build needs the packages that a production setting in the environment would omit. SQLite has its own step.
  const step = npm(["ci", "--include=dev", "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund"]);
  const { ok, output } = await runStep(step, { cwd: root, logFile: logs.install });
  if (!ok) throw failure("npm could not install the packages.", output, logs.install);
}

/**
 * Prepares SQLite and builds the packages at the same time: SQLite is one large file, which its compiler compiles on one
 * processor, and the build does not load it. The first failure ends the other.
 *
 * @param {boolean} compiles whether SQLite is to be prepared
 */
async function prepare(compiles) {
  const stale = listStale(root);
  const doing = [
    ...(compiles ? ["preparing SQLite"] : []),
    // a line has to fit a terminal, with what follows it
    ...(stale.length > 0 ? [`building ${stale.length > 3 ? `${stale.length} packages` : stale.join(", ")}`] : []),
  ].join(" and ");
  if (doing === "") return;
  const work = () => Promise.all([compiles ? prepareSqlite() : undefined, stale.length > 0 ? build(stale) : undefined]);
  await timed(doing.charAt(0).toUpperCase() + doing.slice(1), work, compiles ? compiledFile : undefined);
}

async function prepareSqlite() {
  const step = npm(["rebuild", "better-sqlite3", "--ignore-scripts=false", "--foreground-scripts"]);
  const { output } = await runStep(step, { cwd: root, logFile: logs.sqlite });
  if (sqliteLoads()) return;
  const missing = describeMissingTools();
  if (missing === undefined) throw failure("SQLite could not be compiled.", output, logs.sqlite);
  const what = `There is no prebuilt SQLite for this machine. To compile it, ${missing}`;
  throw new SetupError(`${what}\n\nThen run the same command again. (Log: ${relative(root, logs.sqlite)})`);
}

/** @param {readonly string[]} names of packages */
async function build(names) {
  const { ok, output } = await makeDist(root, names, (step) => runStep(step, { cwd: root, logFile: logs.build }));
  if (!ok) throw failure("The build failed; the previous build is still usable.", output, logs.build);
}

/** Tries SQLite in a separate process, which a truncated file could crash. */
function sqliteLoads() {
  const probe = 'new (require("better-sqlite3"))(":memory:").close()';
  const cwd = join(root, "packages/server");
  return spawnSync(process.execPath, ["-e", probe], { cwd, stdio: "ignore" }).status === 0;
}

/** @param {string} what @param {string} output @param {string} logFile */
function failure(what, output, logFile) {
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
