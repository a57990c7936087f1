/** Packages that ours are compared with. The bench installs their exact versions into a cache folder. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const INSTALL_TIMEOUT_MS = 180_000;

export interface Peers {
  /** Versions of the installed packages, by name. */
  readonly versions: ReadonlyMap<string, string>;
  readonly missing: readonly string[];
  /** npm's error if it could not install the packages. */
  readonly failure: string | undefined;
}

/**
 * Installs packages into `folder`, in the versions pinned by the manifest and lock of `manifestFolder`, unless they are
 * already installed. If a package cannot be installed, for example without a network, it is not measured.
 */
export async function installPeers(manifestFolder: string, folder: string): Promise<Peers> {
  const pinned = readDependencies(join(manifestFolder, "package.json"));
  const isThere = ([name, version]: [string, string]) => installedVersion(folder, name) === version;
  const failure = pinned.every(isThere) ? undefined : await install(manifestFolder, folder);
  return {
    versions: new Map(pinned.filter(isThere)),
    missing: pinned.filter((peer) => !isThere(peer)).map(([name, version]) => `${name}@${version}`),
    failure,
  };
}

async function install(manifestFolder: string, folder: string): Promise<string | undefined> {
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    copyFileSync(join(manifestFolder, file), join(folder, file));
  }
  try {
    // Not `npm ci`, which would remove the packages of an earlier run first, even without a network.
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--fetch-retry-mintimeout=1000"];
    await promisify(execFile)("npm", ["install", "--prefix", folder, ...flags, "--fetch-retry-maxtimeout=3000"], {
      timeout: INSTALL_TIMEOUT_MS,
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function installedVersion(folder: string, name: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}

function readDependencies(manifest: string): [string, string][] {
  const { dependencies } = JSON.parse(readFileSync(manifest, "utf8")) as { dependencies: Record<string, string> };
  return Object.entries(dependencies);
}
