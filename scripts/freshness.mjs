// Whether what was installed and built is still what the sources ask for, told from files alone.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";

/**
 * @typedef {object} LockedPackage an entry of npm's lock file, as far as it matters here
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [optional]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 */

/** @typedef {{ readonly packages: Readonly<Record<string, LockedPackage>> }} Lock */

/**
 * Whether node_modules holds what package-lock.json says, whoever put it there. npm leaves a lock of its own in
 * node_modules as the last act of an install, so one that was interrupted is not taken for whole.
 *
 * @param {string} root
 */
export function isInstalled(root) {
  const wanted = readJson(join(root, "package-lock.json"));
  const installed = readJson(join(root, "node_modules", ".package-lock.json"));
  if (wanted === undefined || installed === undefined) return false;
  if (!matchesLock(wanted, installed, process)) return false;
  return Object.keys(installed.packages).every((path) => existsSync(join(root, path, "package.json")));
}

/**
 * Packages marked optional may be absent: most are for other systems. Those present must be for this one, or the folder
 * was copied from elsewhere.
 *
 * @param {Lock} wanted
 * @param {Lock} installed
 * @param {{ readonly platform: string, readonly arch: string }} machine
 */
export function matchesLock(wanted, installed, { platform, arch }) {
  // the entry without a path is the workspace itself, which is nowhere installed
  const expected = Object.entries(wanted.packages).filter(([path]) => path !== "");
  const isComplete = expected.every(([path, entry]) => {
    const present = installed.packages[path];
    if (present === undefined) return entry.optional === true;
    return present.version === entry.version && present.integrity === entry.integrity;
  });
  const fits = Object.values(installed.packages).every(
    ({ os, cpu }) => allows(os, platform) && allows(cpu, arch), // absent: everywhere
  );
  return isComplete && fits;
}

/** @param {readonly string[] | undefined} list such as `["linux", "darwin"]` or `["!win32"]` @param {string} name */
function allows(list, name) {
  if (list === undefined || list.includes("any")) return true;
  if (list.includes(`!${name}`)) return false;
  return list.includes(name) || list.every((item) => item.startsWith("!"));
}

const BUILD_FILES = [
  "tsup.config.ts",
  "scripts/bundled-licences.ts",
  "scripts/cli-bundle.ts",
  "tsconfig.json",
  "package-lock.json",
];

/** The files that the build reads: a change of any makes it stale. Tests are not built. @param {string} root */
export function listBuildInputs(root) {
  const packages = readdirSync(join(root, "packages")).sort();
  const sources = packages.flatMap((name) => listFiles(join(root, "packages", name, "src")));
  const manifests = packages.map((name) => join(root, "packages", name, "package.json"));
  return [
    ...sources.filter((file) => !file.endsWith(".test.ts")),
    ...manifests.filter((file) => existsSync(file)),
    ...BUILD_FILES.map((name) => join(root, name)),
  ];
}

/**
 * What to keep of a build: what it read and which files it made, whatever they are called.
 *
 * @param {string} root
 * @param {string} inputs fingerprint of what it read, from before it began
 */
export function describeBuild(root, inputs) {
  return JSON.stringify({ inputs, outputs: listBuilt(root) });
}

/** Whether a build is of what is there to be built, and all that it made is still there. @param {string} root @param {string} described */
export function isFreshBuild(root, described) {
  const { inputs, outputs } = parseBuild(described);
  return outputs.every((name) => existsSync(join(root, name))) && inputs === fingerprint(root, listBuildInputs(root));
}

/** @param {string} described @returns {{ inputs?: string, outputs: readonly string[] }} */
function parseBuild(described) {
  try {
    return JSON.parse(described);
  } catch {
    // of an earlier version, or cut off
    return { outputs: [] };
  }
}

/** @param {string} root */
function listBuilt(root) {
  const packages = readdirSync(join(root, "packages")).sort();
  return packages
    .flatMap((name) => listFiles(join(root, "packages", name, "dist")))
    .map((file) => relative(root, file));
}

/**
 * One value for the names and times of some files, for a cheap look whether any may have changed. A file that goes in
 * this moment counts as gone.
 *
 * @param {readonly string[]} files
 */
export function timestamps(files) {
  return files.map((file) => `${file} ${statSync(file, { throwIfNoEntry: false })?.mtimeMs}`).join("\n");
}

/**
 * One value for the names and contents of some files: another when any of them changed, moved or went.
 *
 * @param {string} root
 * @param {readonly string[]} files
 */
export function fingerprint(root, files) {
  const digest = createHash("sha256");
  for (const file of files) {
    const name = relative(root, file).split(sep).join("/");
    digest.update(name).update("\0").update(readFileSync(file)).update("\0");
  }
  return digest.digest("hex");
}

/** @param {string} folder @returns {string[]} */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** @param {string} file @returns {Lock | undefined} nothing when it is missing or not whole */
function readJson(file) {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
