// Decides which packages to build, and publishes their outputs. A build is made in a separate folder, so that the previous
// build stays usable until the new one is complete, and concurrent builds do not mix.

import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";

/** Matches an import of a package of this repository, and captures the package's name. */
const IMPORTED = /(?:from |import\()"@msgctl\/([a-z]+)/g;
const SETTINGS = ["openapi.yaml", "tsup.config.ts", "tsconfig.json", "package-lock.json"];

/** @typedef {{ inputs: string, outputs: string[] }} Built a fingerprint of a package's sources, and its built files */

/** The packages whose `dist` is missing, incomplete or built from older sources. @param {string} root */
export function listStale(root) {
  const built = readStamp(root);
  return listBuildable(root).filter((name) => {
    const { inputs, outputs } = built[name] ?? { inputs: "", outputs: [] };
    return inputs !== readInputs(root, name) || !outputs.every((file) => existsSync(join(root, file)));
  });
}

/** The packages that have a `dist`. @param {string} root */
function listBuildable(root) {
  return readdirSync(join(root, "packages"))
    .sort()
    .filter((name) => readJson(join(root, "packages", name, "package.json"))?.files?.includes("dist"));
}

/**
 * Builds some packages. The stamp records the inputs, so that the same build is not repeated.
 *
 * @param {string} root
 * @param {readonly string[]} names
 * @param {(step: { command: string, args: string[], env: Record<string, string> }) => Promise<{ ok: boolean, output: string }>} run
 */
export async function makeDist(root, names, run) {
  const cache = join(root, ".cache");
  // Remove folders of builds that were killed. The compiler of one may still run, so each build has a new folder.
  for (const name of readdirSync(cache)) {
    if (name.startsWith("build-")) rmSync(join(cache, name), { recursive: true, force: true });
  }
  const aside = mkdtempSync(join(cache, "build-"));
  try {
    // read before the build, so that changes made during it cause another build
    const inputs = new Map(names.map((name) => [name, readInputs(root, name)]));
    const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
    const env = { BUILD_FOLDER: relative(root, aside), BUILD_PACKAGES: names.join(",") };
    const outcome = await run({ command: process.execPath, args: [tsup, "--silent"], env });
    if (!outcome.ok) return outcome;
    const built = readStamp(root);
    rmSync(stampOf(root), { force: true });
    for (const [name, fingerprinted] of inputs) {
      const files = publish(join(aside, name), join(root, "packages", name, "dist"));
      built[name] = { inputs: fingerprinted, outputs: files.map((file) => relative(root, file)) };
    }
    writeFileSync(stampOf(root), JSON.stringify(built));
    return outcome;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** @param {string} root */
function stampOf(root) {
  return join(root, ".cache/built-from.json");
}

/** @param {string} root @returns {Record<string, Built>} empty if nothing was built or the stamp is truncated */
function readStamp(root) {
  return readJson(stampOf(root)) ?? {};
}

/** @param {string} file @returns {any} undefined if the file is missing or truncated */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Moves a package's files to the final folder one by one, so that none is ever missing or truncated. Chunks are named by
 * their contents: those of this build are moved before the files that load them, and the old ones are removed last.
 *
 * @param {string} from
 * @param {string} to
 */
function publish(from, to) {
  const made = listFiles(from).map((file) => relative(from, file));
  const before = new Set(listFiles(to).map((file) => relative(to, file)));
  for (const name of [...made.filter((name) => !before.has(name)), ...made.filter((name) => before.has(name))]) {
    mkdirSync(dirname(join(to, name)), { recursive: true });
    renameSync(join(from, name), join(to, name));
  }
  for (const name of made) before.delete(name);
  for (const name of before) rmSync(join(to, name));
  return made.map((name) => join(to, name));
}

/**
 * A fingerprint of everything that the build of a package reads: its sources, those of the packages that they import, and so
 * on. Tests are not built.
 *
 * @param {string} root
 * @param {string} name
 */
function readInputs(root, name) {
  // the pages of msgd's /docs are rendered by its build
  const packages = new Set(name === "server" ? [name, "codegen"] : [name]);
  const sources = [];
  // iterating a set includes the values added during the iteration
  for (const each of packages) {
    const files = listFiles(join(root, "packages", each, "src")).filter((file) => !/\.test(-d)?\.ts$/.test(file));
    sources.push(...files, join(root, "packages", each, "package.json"));
    for (const [, imported = ""] of files.flatMap((file) => [...readFileSync(file, "latin1").matchAll(IMPORTED)])) {
      if (existsSync(join(root, "packages", imported))) packages.add(imported);
    }
  }
  const scripts = listFiles(join(root, "scripts")).filter((file) => file.endsWith(".ts"));
  return fingerprint(root, [...sources, ...scripts, ...SETTINGS.map((file) => join(root, file))]);
}

/**
 * One value for the names and contents of some files: different if any of them is changed, moved or removed.
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

/** @param {string} folder @returns {string[]} empty if the folder is missing */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name)).sort();
}
