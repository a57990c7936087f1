// Packs packages with npm as they are published, and lays them out as an installation. A published package differs from its
// folder: its manifest has the publisher's addresses, and its README can be read on npm's site.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fingerprint } from "../../scripts/dist.mjs";
import { withAbsoluteLinks } from "../release/links.ts";
import { publishedManifest, readPublisher, repositoryOf } from "../release/publisher.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Conditions of an export, or the file to which it leads. */
export type Conditions = string | { readonly [condition: string]: Conditions };

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface SdkManifest extends Manifest {
  readonly exports: Readonly<Record<string, Conditions>>;
}

export interface Packed<Kind extends Manifest = Manifest> {
  readonly tarball: string;
  /** Folder with the tarball's files. */
  readonly folder: string;
  /** Paths of the tarball's files, sorted. */
  readonly files: readonly string[];
  readonly manifest: Kind;
}

/** Packs the SDK, once for all tests of the same build. */
export function packSdk(): Packed<SdkManifest> {
  const packed = pack("sdk");
  return { ...packed, manifest: packed.manifest as SdkManifest };
}

/** Packs msgctl once, as packSdk() packs the SDK. */
export function packCli(): Packed {
  return pack("cli");
}

/** Packs the mocks, as packSdk() packs the SDK. */
export function packMocks(): Packed<SdkManifest> {
  const packed = pack("mocks");
  return { ...packed, manifest: packed.manifest as SdkManifest };
}

/** Packs msgd, as packSdk() packs the SDK. */
export function packServer(): Packed {
  return pack("server");
}

/** Packs the conformance tool, as packSdk() packs the SDK. */
export function packConformance(): Packed {
  return pack("conformance");
}

/** Packs the MCP server, as packSdk() packs the SDK. */
export function packMcp(): Packed {
  return pack("mcp");
}

/** What decides how a package is published, beside its own files. */
const forms = ["package.json", "test/release/links.ts", "test/release/publisher.ts"].map((file) => join(root, file));

/** Packs the package of a folder in packages/, as packSdk() packs the SDK. */
export function pack(name: string): Packed {
  const source = join(root, "packages", name);
  const cache = join(root, `.cache/packed-${name}`);
  const inputs = listFiles(source).filter((file) => !/^(?:src|test|simulation|node_modules)\//.test(file));
  const build = fingerprint(source, [...inputs.map((file) => join(source, file)), ...forms]);
  const made = join(cache, build.slice(0, 16));
  if (!existsSync(made)) makeAt(made, { name, inputs, cache });
  const folder = join(made, "package");
  return { tarball: join(made, "package.tgz"), folder, files: listFiles(folder), manifest: readManifest(folder) };
}

/** Builds in a temporary folder and renames the result, because parallel test files may pack at the same time. */
function makeAt(
  made: string,
  { name, inputs, cache }: { name: string; inputs: readonly string[]; cache: string },
): void {
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, "packing-"));
  const published = join(aside, "published");
  try {
    for (const file of inputs) cpSync(join(root, "packages", name, file), join(published, file));
    toPublishedForm(published, name);
    const { file, args, options } = npmCommand(["pack", "--ignore-scripts", "--pack-destination", aside]);
    execFileSync(file, args, { ...options, cwd: published, stdio: "pipe" });
    rmSync(published, { recursive: true });
    const [tarball = ""] = readdirSync(aside);
    renameSync(join(aside, tarball), join(aside, "package.tgz"));
    unpack(join(aside, "package.tgz"), aside);
    renameSync(aside, made);
  } catch (error) {
    if (!existsSync(made)) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Changes the manifest and README of a copied package to those that are published. */
function toPublishedForm(folder: string, name: string): void {
  const publisher = readPublisher();
  const manifest = publishedManifest(readManifest(folder), { folder: name, publisher });
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const addresses = { repository: repositoryOf(publisher), tag: `v${manifest.version}` };
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  writeFileSync(join(folder, "README.md"), withAbsoluteLinks(readme, `packages/${name}/README.md`, addresses));
}

/** Unpacks a package's tarball below `folder`, or only some files of it. */
export function unpack(tarball: string, folder: string, ...only: readonly string[]): void {
  execFileSync("tar", ["-xzf", basename(tarball), "-C", folder, ...only], { cwd: dirname(tarball) });
}

/** The command that starts npm, which is a shell script on Windows. */
export function npmCommand(args: readonly string[]): { file: string; args: string[]; options: { shell: boolean } } {
  const cli = process.env.npm_execpath;
  if (cli !== undefined && basename(cli) === "npm-cli.js")
    return { file: process.execPath, args: [cli, "--loglevel=error", ...args], options: { shell: false } };
  return { file: "npm", args: ["--loglevel=error", ...args], options: { shell: process.platform === "win32" } };
}

/**
 * Creates a folder with only the packed SDK and its dependencies, laid out as by `npm install`. The files are copied rather
 * than installed, so that no registry is needed.
 */
export function installSdk(): { folder: string; remove: () => void } {
  const { folder: packed, manifest } = packSdk();
  // the real path, which TypeScript uses in file names
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "sdk-installed-")));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  install(folder, manifest.name, packed);
  const wanted = Object.keys(manifest.dependencies ?? {});
  for (const name of wanted) {
    const installed = join(root, "node_modules", name);
    install(folder, name, installed);
    for (const next of Object.keys(readManifest(installed).dependencies ?? {})) {
      if (!wanted.includes(next)) wanted.push(next);
    }
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function install(folder: string, name: string, from: string): void {
  cpSync(from, join(folder, "node_modules", name), { recursive: true });
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

/** Paths below a folder, with slashes. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .sort();
}

/** Every file to which an export leads, with its conditions. */
export function leavesOf(
  conditions: Conditions,
  way: readonly string[] = [],
): { way: readonly string[]; file: string }[] {
  if (typeof conditions === "string") return [{ way, file: conditions }];
  return Object.entries(conditions).flatMap(([condition, next]) => leavesOf(next, [...way, condition]));
}
