/** The clients to measure beside: exact versions, installed into the cache folder by the bench itself. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { peersFolder, root } from "./places.ts";

const manifestFolder = join(root, "test/bench/sdk/peers");
const INSTALL_TIMEOUT_MS = 180_000;

export interface Peers {
  /** Version by name, of those that are there. */
  readonly versions: ReadonlyMap<string, string>;
  readonly missing: readonly string[];
  /** What npm said, when it could not install. */
  readonly failure: string | undefined;
}

/** Installs what is not there yet in the version that the manifest pins. Without a network, the rest is measured. */
export function installPeers(): Peers {
  const pinned = readDependencies(join(manifestFolder, "package.json"));
  const isThere = ([name, version]: [string, string]) => installedVersion(name) === version;
  const failure = pinned.every(isThere) ? undefined : install();
  return {
    versions: new Map(pinned.filter(isThere)),
    missing: pinned.filter((peer) => !isThere(peer)).map(([name, version]) => `${name}@${version}`),
    failure,
  };
}

function install(): string | undefined {
  mkdirSync(peersFolder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) {
    copyFileSync(join(manifestFolder, file), join(peersFolder, file));
  }
  try {
    // Not `npm ci`: without a network that would first remove what an earlier run has installed.
    execFileSync("npm", ["install", "--prefix", peersFolder, "--ignore-scripts", "--no-audit", "--no-fund"], {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: INSTALL_TIMEOUT_MS,
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function installedVersion(name: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(peersFolder, "node_modules", name, "package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}

function readDependencies(manifest: string): [string, string][] {
  const { dependencies } = JSON.parse(readFileSync(manifest, "utf8")) as { dependencies: Record<string, string> };
  return Object.entries(dependencies);
}
