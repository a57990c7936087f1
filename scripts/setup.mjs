// Brings a checkout to where it can run: installs what the lock file says, builds what is missing or stale.
// Plain Node, because it runs before anything is installed.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describeMissingTools, requireNode } from "./tools.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installStamp = join(root, "node_modules", ".installed-from");
const buildStamp = join(root, ".cache", "built-from");
const built = ["packages/server/dist/main.js", "packages/cli/dist/main.js", "packages/sdk/dist/index.js"];

/** Installs and builds as far as needed, and says what it does. Throws with what to do when it cannot. */
export function setUp() {
  requireNode();
  install();
  build();
}

function install() {
  // the native module is compiled for one version of Node's ABI
  const wanted = `${hash([join(root, "package-lock.json")])} node-abi-${process.versions.modules}`;
  if (read(installStamp) === wanted) return;
  const done = announce("Installing packages (a minute or two where SQLite has to be compiled)");
  const status = npm(["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (status !== 0 || !sqliteLoads()) throw new Error(describeFailedInstall(status));
  writeFileSync(installStamp, wanted);
  done();
}

function build() {
  const wanted = hash(listBuildInputs());
  if (read(buildStamp) === wanted && built.every((file) => existsSync(join(root, file)))) return;
  const done = announce("Building");
  const { status } = spawnSync(process.execPath, [join(root, "node_modules/tsup/dist/cli-default.js"), "--silent"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error("The build failed: the lines above say where.");
  mkdirSync(dirname(buildStamp), { recursive: true });
  writeFileSync(buildStamp, wanted);
  done();
}

function sqliteLoads() {
  const probe = 'new (require("better-sqlite3"))(":memory:").close()';
  return spawnSync(process.execPath, ["-e", probe], { cwd: root, stdio: "ignore" }).status === 0;
}

/** @param {number | null} status */
function describeFailedInstall(status) {
  const missing = describeMissingTools();
  if (missing.length > 0) {
    return `The packages could not be installed: SQLite is compiled on this machine, and\n  ${missing.join("\n  ")}\nThen run the same command again.`;
  }
  return status === 0
    ? "The packages are installed, but SQLite does not load. Run: npm rebuild better-sqlite3 --foreground-scripts"
    : "The packages could not be installed: npm's own lines above say why.";
}

/** @param {string[]} args */
function npm(args) {
  /** @type {import("node:child_process").SpawnSyncOptions} */
  const options = { cwd: root, stdio: ["ignore", "inherit", "inherit"] };
  const cli = process.env.npm_execpath;
  if (cli?.endsWith("js")) return spawnSync(process.execPath, [cli, ...args], options).status;
  // npm is a script for cmd.exe on Windows, and only a shell finds it
  return spawnSync("npm", args, { ...options, shell: process.platform === "win32" }).status;
}

function listBuildInputs() {
  const packages = readdirSync(join(root, "packages"));
  const sources = packages.flatMap((name) => listFiles(join(root, "packages", name, "src")));
  const manifests = packages.map((name) => join(root, "packages", name, "package.json"));
  return [...sources, ...manifests, join(root, "tsup.config.ts"), join(root, "package-lock.json")];
}

/** @param {string} folder @returns {string[]} */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @param {string[]} files */
function hash(files) {
  const digest = createHash("sha256");
  for (const file of files) digest.update(relative(root, file)).update("\0").update(readFileSync(file)).update("\0");
  return digest.digest("hex");
}

/** @param {string} file */
function read(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** @param {string} what Says what is about to take a while; the returned function says how long it took. */
function announce(what) {
  const start = Date.now();
  process.stderr.write(`${what} …\n`);
  return () => process.stderr.write(`  done in ${((Date.now() - start) / 1_000).toFixed(1)} s\n`);
}
