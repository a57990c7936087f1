// The build: what it reads, and how what it makes comes to its place. It is made aside, so that the one before serves until
// the new one is whole, and builds that run at once do not mix.

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

const SETTINGS = ["openapi.yaml", "tsup.config.ts", "tsconfig.json", "package-lock.json"];

/** Whether what is built is of what is there to be built, and all of it is still there. @param {string} root */
export function isBuilt(root) {
  try {
    const { inputs, outputs } = JSON.parse(readFileSync(join(root, ".cache/built-from"), "utf8"));
    return outputs.every((/** @type {string} */ name) => existsSync(join(root, name))) && inputs === readInputs(root);
  } catch {
    // never built, or cut off while it was noted
    return false;
  }
}

/**
 * Builds every package. A file of the stamp says of what, so that it is not done again for the same.
 *
 * @param {string} root
 * @param {(step: { command: string, args: string[], env: Record<string, string> }) => Promise<{ ok: boolean, output: string }>} run
 */
export async function makeDist(root, run) {
  const cache = join(root, ".cache");
  const stamp = join(cache, "built-from");
  // of builds that were killed; the compiler of one may live on, so each has a folder of its own
  for (const name of readdirSync(cache)) {
    if (name.startsWith("build-")) rmSync(join(cache, name), { recursive: true, force: true });
  }
  const aside = mkdtempSync(join(cache, "build-"));
  try {
    // what changes from here on is for the next one
    const inputs = readInputs(root);
    const tsup = join(root, "node_modules/tsup/dist/cli-default.js");
    const env = { BUILD_FOLDER: relative(root, aside) };
    const outcome = await run({ command: process.execPath, args: [tsup, "--silent"], env });
    if (!outcome.ok) return outcome;
    rmSync(stamp, { force: true });
    const outputs = readdirSync(aside).flatMap((name) =>
      publish(join(aside, name), join(root, "packages", name, "dist")),
    );
    writeFileSync(stamp, JSON.stringify({ inputs, outputs: outputs.map((file) => relative(root, file)) }));
    return outcome;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * Moves a package's files to their place one by one, so that at no moment is any missing or cut off. Parts that others
 * load are named after their contents: those of this build come before what loads them, those of the last go after.
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

/** The files that the build reads. Tests are not built. @param {string} root */
function readInputs(root) {
  const packages = readdirSync(join(root, "packages")).sort();
  const sources = packages.flatMap((name) => listFiles(join(root, "packages", name, "src")));
  const scripts = listFiles(join(root, "scripts")).filter((file) => file.endsWith(".ts"));
  const named = [...packages.map((name) => `packages/${name}/package.json`), ...SETTINGS].map((name) =>
    join(root, name),
  );
  return fingerprint(root, [...sources.filter((file) => !file.endsWith(".test.ts")), ...scripts, ...named]);
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

/** @param {string} folder @returns {string[]} none where it is missing */
function listFiles(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => join(entry.parentPath, entry.name)).sort();
}
