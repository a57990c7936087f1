// `npm run release`: makes a release from a clean checkout of its tag, tries it, and publishes it. `-- --dry-run` does all but
// publish, on any checkout. `-- prepare <version>` sets the version. docs/releasing.md describes all of it.

import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { listFiles, type Manifest, npmCommand, type Packed, pack, readManifest, root } from "../packages/packed.ts";
import { readDeclarations, recordedFolder, toRecord } from "../packages/public-types.ts";
import { find, node, runtimes } from "../packages/runtimes.ts";
import { sectionsOf, withRelease } from "./changelog.ts";
import { isAllowed } from "./licences.ts";
import { withAbsoluteLinks } from "./links.ts";
import { DOCUMENTS, findPublisherFaults, listUnset, readPublisher, repositoryOf } from "./publisher.ts";
import { type Registry, startRegistry } from "./registry.ts";
import { bundledOf, licencesIn, type Sbom, withBundled } from "./sbom.ts";
import { tryPackages } from "./trials.ts";
import {
  checkVersion,
  findVersionFaults,
  inOrder,
  type VersionedManifest,
  withVersion,
  withVersionInText,
} from "./versions.ts";

const run = promisify(execFile);

const output = join(root, ".cache/release");
const NPM_MS = 300_000;
const OUTPUT_BYTES = 64 * 1_024 * 1_024;

/** A check that found something. Its message says what was found, what is expected, and what to do. */
class Fault extends Error {}

interface Release {
  readonly version: string;
  readonly packages: readonly (Packed & { readonly folderName: string })[];
}

/** Steps that are left before the release can be published. */
const toDo: string[] = [];
const failed: string[] = [];

/** Runs one check, and prints its result. Returns undefined if it failed. */
async function step<Result>(
  name: string,
  work: () => Promise<[said: string, result: Result]>,
): Promise<Result | undefined> {
  const start = Date.now();
  const say = (state: string, text: string) =>
    process.stdout.write(`${state}  ${name}: ${text}  (${((Date.now() - start) / 1_000).toFixed(1)} s)\n`);
  try {
    const [said, result] = await work();
    say("ok    ", said);
    return result;
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string };
    if (!(error instanceof Error)) throw error;
    say("FAILED", [message, stderr ?? ""].join("\n").trim().replaceAll("\n", "\n        "));
    failed.push(name);
    return undefined;
  }
}

const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const folders = readdirSync(join(root, "packages")).sort();
const workspaceFiles = ["package.json", ...folders.map((folder) => `packages/${folder}/package.json`)];
const lockKey = (file: string) => file.replace(/\/?package\.json$/, "");

function checkVersions(): string {
  const manifests: Record<string, VersionedManifest> = {};
  const locked: Record<string, VersionedManifest> = {};
  const lock = readJson("package-lock.json").packages;
  for (const file of workspaceFiles) {
    manifests[file] = readJson(file);
    locked[file] = lock[lockKey(file)] ?? { name: "none", version: "missing" };
  }
  const faults = findVersionFaults({ manifests, locked });
  const version = checkVersion(String(manifests["package.json"]?.version));
  if (faults.length > 0) throw new Fault(`${faults.join("\n")}\nRun npm run release -- prepare ${version}.`);
  return version;
}

/** `npm run release -- prepare <version>`: sets the version of all packages, and dates the changes in CHANGELOG.md. */
function prepare(given: string): void {
  const version = checkVersion(given);
  const changelog = withRelease(
    readFileSync(join(root, "CHANGELOG.md"), "utf8"),
    version,
    new Date().toISOString().slice(0, 10),
  );
  const names = new Set(workspaceFiles.map((file) => readJson(file).name as string));
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  const print = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const lock = readJson("package-lock.json");
  lock.version = version;
  for (const file of workspaceFiles) {
    write(file, withVersionInText(readFileSync(join(root, file), "utf8"), version, names));
    lock.packages[lockKey(file)] = withVersion(lock.packages[lockKey(file)], version, names);
  }
  write("package-lock.json", print(lock));
  write("CHANGELOG.md", changelog);
  process.stdout.write(
    `Set ${version} in ${workspaceFiles.length} packages, package-lock.json and CHANGELOG.md. Read git diff, commit it, and run\n` +
      "npm run release -- --dry-run.\n",
  );
}

function git(...words: string[]): string {
  const { stdout, status, stderr } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Fault(`git ${words.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** The checks of a release that is published. */
function checkCheckout(version: string): string {
  const changed = git("status", "--porcelain");
  if (changed !== "")
    throw new Fault(`the checkout has changes, expected none:\n${changed}\nCommit them, and move the tag.`);
  const tags = git("tag", "--points-at", "HEAD").split("\n");
  if (!tags.includes(`v${version}`)) {
    throw new Fault(
      `HEAD has the tags ${tags.join(", ") || "none"}, expected v${version}. Check out the tag, or set it.`,
    );
  }
  if (process.env.GITHUB_ACTIONS !== "true" || process.env.ACTIONS_ID_TOKEN_REQUEST_URL === undefined) {
    throw new Fault(
      "this is no job of GitHub Actions with id-token: write, so npm cannot prove from where a package comes.\n" +
        "Push the tag: .github/workflows/release.yml publishes it.",
    );
  }
  return `clean, at v${version}`;
}

function readNotes(version: string): string {
  const sections = sectionsOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  const section = sections.get(version);
  if (section === undefined) toDo.push(`CHANGELOG.md has no section ${version}: npm run release -- prepare ${version}`);
  const notes = (section ?? sections.get(""))?.notes;
  if (!notes)
    throw new Fault(`CHANGELOG.md has no notes for ${version}. Write under "## Unreleased" what users notice.`);
  const addresses = { repository: repositoryOf(readPublisher()), tag: `v${version}` };
  return withAbsoluteLinks(notes, "CHANGELOG.md", addresses);
}

function checkPublisher(names: readonly string[]): string {
  const publisher = readPublisher();
  const contacts = Object.fromEntries(
    DOCUMENTS.map((file) => [file, parse(readFileSync(join(root, file), "utf8")).info.contact]),
  );
  const faults = findPublisherFaults(publisher, { names, contacts });
  if (faults.length > 0)
    throw new Fault(`${faults.join("\n")}\nThe expected values are those of publisher in package.json.`);
  const unset = listUnset(publisher);
  for (const name of unset) toDo.push(`package.json: publisher.${name} is to be set before publishing`);
  return unset.length > 0 ? `agree, but ${unset.join(", ")} are not set` : "agree";
}

function checkTypes(): string {
  const current = toRecord(join(pack("sdk").folder, "dist"));
  const recorded = readDeclarations(recordedFolder);
  const differing = [...new Set([...Object.keys(current), ...Object.keys(recorded)])].filter(
    (name) => current[name] !== recorded[name],
  );
  if (differing.length === 0) return "recorded";
  const where = differing.map((name) => `test/packages/recorded/${name}`).join(", ");
  throw new Fault(`${where} differ from the built SDK. Run npm run record:types, read git diff, and commit it.`);
}

async function makeSbom(packed: Packed, registry: Registry): Promise<Sbom> {
  const folder = mkdtempSync(join(tmpdir(), "release-sbom-"));
  try {
    const { devDependencies: _, ...manifest } = packed.manifest;
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    const options = { cwd: folder, env: registry.environment(process.execPath, folder), timeout: NPM_MS };
    await run("npm", ["install", "--ignore-scripts", "--loglevel=error"], options);
    const words = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=library"];
    const { stdout } = await run("npm", words, { ...options, maxBuffer: OUTPUT_BYTES });
    const licences = packed.files.filter((file) => basename(file) === "THIRD-PARTY-LICENSES.txt");
    const bundled = licences.flatMap((file) => bundledOf(readFileSync(join(packed.folder, file), "utf8")));
    return withBundled(JSON.parse(stdout) as Sbom, { name: packed.manifest.name, bundled });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file name without the slash of a scope, as `npm pack` names its tarballs. */
const fileNameOf = ({ name, version }: Manifest) => `${name.replace("@", "").replace("/", "-")}-${version}`;

async function makeSboms({ packages }: Release, registry: Registry): Promise<string> {
  const counts: number[] = [];
  const refused: string[] = [];
  for (const packed of packages) {
    const sbom = await makeSbom(packed, registry);
    const licences = licencesIn(sbom);
    counts.push(licences.length);
    for (const { name, licence } of licences) {
      if (!isAllowed(licence)) refused.push(`${packed.manifest.name}: ${name} has the licence ${licence}`);
    }
    const file = join(output, `${fileNameOf(packed.manifest)}.cdx.json`);
    writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
  }
  if (refused.length > 0) {
    throw new Fault(
      `${refused.join("\n")}\nExpected one of test/release/licences.ts. Replace the package; or add the licence, once its terms are read.`,
    );
  }
  return `${counts.join(", ")} packages of others, each with an allowed licence`;
}

async function tryRelease({ packages }: Release, registry: Registry): Promise<string> {
  const oldest = `${/\d+\.\d+/.exec(String((readManifest(root).engines as { node: string }).node))}.0`;
  const tried = ["22", "24"].map((major) => runtimes.find(({ version }) => version.startsWith(`${major}.`)));
  const nodes = [node(oldest), ...tried.filter((runtime) => runtime !== undefined)];
  for (const runtime of nodes) {
    const found = await find(runtime);
    if ("missing" in found) throw new Fault(`${found.missing}. Connect to the network, and run again.`);
    const start = Date.now();
    const names: string[] = [];
    await tryPackages(
      packages.map(({ manifest }) => manifest),
      { runtime, program: found.program, registry },
      (name) => names.push(name),
    );
    const seconds = ((Date.now() - start) / 1_000).toFixed(0);
    process.stdout.write(`        Node ${runtime.version}: ${names.join(", ")}  (${seconds} s)\n`);
  }
  return `installed with --engine-strict and tried on Node ${nodes.map(({ version }) => version).join(", ")}`;
}

function writeSums(): string {
  const files = listFiles(output).filter((file) => file !== "SHA256SUMS");
  const lines = files.map((file) => {
    const sum = createHash("sha256")
      .update(readFileSync(join(output, file)))
      .digest("hex");
    return `${sum}  ${file}\n`;
  });
  writeFileSync(join(output, "SHA256SUMS"), lines.join(""));
  return `of ${files.length} files`;
}

/** Publishes each package after those that it needs. A package that a cut-off run has published is left. */
async function publish({ packages }: Release): Promise<void> {
  for (const { manifest } of packages) {
    const tarball = join(output, `${fileNameOf(manifest)}.tgz`);
    const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
    await step(`publish ${manifest.name}`, async () => {
      const spec = `${manifest.name}@${manifest.version}`;
      const seen = await run("npm", ["view", spec, "dist.integrity"], { timeout: NPM_MS }).catch((error) => {
        if (/\bE404\b/.test(String(error.stderr))) return { stdout: "" };
        throw error;
      });
      const published = seen.stdout.trim();
      if (published === integrity) return ["is published already", undefined];
      if (published !== "")
        throw new Fault(`npm has another ${spec}: ${published}, expected ${integrity}. Raise the version.`);
      const tag = manifest.version.includes("-") ? "next" : "latest";
      const { file, args, options } = npmCommand([
        "publish",
        tarball,
        "--provenance",
        "--access=public",
        `--tag=${tag}`,
      ]);
      await run(file, args, { ...options, cwd: root, timeout: NPM_MS });
      return [`as ${tag}`, undefined];
    });
    if (failed.length > 0) return;
  }
}

function checkGenerated(): string {
  const { file, args, options } = npmCommand(["run", "--silent", "generate:check"]);
  const { status, stdout, stderr } = spawnSync(file, args, { ...options, cwd: root, encoding: "utf8" });
  if (status === 0) return "are current";
  throw new Fault(`${stdout}${stderr}\nRun npm run generate, read git diff, and commit it.`);
}

async function release(isDryRun: boolean): Promise<void> {
  const version = await step("versions", async () => {
    const found = checkVersions();
    return [`${found} in all packages`, found];
  });
  if (version === undefined) return;
  if (!isDryRun) await step("checkout", async () => [checkCheckout(version), undefined]);
  const published = folders.filter((folder) => readManifest(join(root, "packages", folder)).private !== true);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  await step("changelog", async () => {
    const notes = readNotes(version);
    writeFileSync(join(output, "RELEASE-NOTES.md"), `${notes}\n`);
    return [`${notes.split("\n").length} lines of notes`, undefined];
  });
  const names = published.map((folder) => readManifest(join(root, "packages", folder)).name);
  await step("publisher", async () => [checkPublisher(names), undefined]);
  await step("generated files", async () => [checkGenerated(), undefined]);
  await step("types of the SDK", async () => [checkTypes(), undefined]);
  if (!isDryRun && (failed.length > 0 || toDo.length > 0)) return;
  const made = await step("packages", async () => {
    const packages = inOrder(published.map((folderName) => ({ ...pack(folderName), folderName })));
    for (const { tarball, manifest } of packages) copyFileSync(tarball, join(output, `${fileNameOf(manifest)}.tgz`));
    copyFileSync(join(root, "openapi.yaml"), join(output, "openapi.yaml"));
    return [packages.map(({ manifest }) => manifest.name).join(", "), { version, packages }];
  });
  if (made === undefined) return;
  const registry = await step("registry", async () => {
    const started = await startRegistry(names);
    for (const { tarball } of made.packages) await started.publish(tarball);
    return ["has all packages", started];
  });
  if (registry === undefined) return;
  try {
    await step("contents and licences", async () => [await makeSboms(made, registry), undefined]);
    await step("trials", async () => [await tryRelease(made, registry), undefined]);
  } finally {
    await registry.stop();
  }
  await step("checksums", async () => [writeSums(), undefined]);
  if (!isDryRun && failed.length === 0) await publish(made);
}

function printSummary(isDryRun: boolean): void {
  const files = listFiles(output);
  const sizes = files.map(
    (file) => `  ${(statSync(join(output, file)).size / 1_000).toFixed(1).padStart(9)} kB  ${file}`,
  );
  const lines = ["", "In .cache/release:", ...sizes];
  if (failed.length > 0) lines.push("", `Failed: ${failed.join(", ")}. Each says above what to do.`);
  if (toDo.length > 0) lines.push("", "Before it can be published:", ...toDo.map((item) => `  ${item}`));
  if (failed.length === 0 && toDo.length === 0) {
    lines.push("", isDryRun ? "Ready. Tag the commit and push the tag: docs/releasing.md says how." : "Published.");
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

const words = process.argv.slice(2);
if (words[0] === "prepare" && words.length === 2) {
  try {
    prepare(words[1] ?? "");
  } catch (error) {
    process.stderr.write(`release: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
} else if (words.length === 0 || (words.length === 1 && words[0] === "--dry-run")) {
  const isDryRun = words.length === 1;
  await release(isDryRun);
  printSummary(isDryRun);
  if (failed.length > 0 || (!isDryRun && toDo.length > 0)) process.exitCode = 1;
} else {
  process.stderr.write(`release: received ${words.join(" ")}; takes nothing, --dry-run, or prepare <version>.\n`);
  process.exitCode = 2;
}
