/** What an installation takes: packages, and bytes of all their files. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { listPacked, type PackedCli } from "../../packages/packed-cli.ts";
import { root } from "../sdk/places.ts";
import { ownFolder } from "./places.ts";

export interface Installed {
  readonly packages: number;
  readonly bytes: number;
}

export interface OwnSize extends PackedCli {
  /** Packages that are always installed with it, itself among them. */
  readonly packages: number;
  /** Packages that npm adds where they fit the machine. */
  readonly optional: Installed;
}

export function measureOwnSize(): OwnSize {
  const { dependencies = {}, optionalDependencies = {} } = readManifest(ownFolder);
  const optional = Object.keys(optionalDependencies).flatMap((name) => {
    const inner = Object.keys(readManifest(installedFolder(name)).optionalDependencies ?? {});
    return [name, ...inner].map(installedFolder).filter((folder) => existsSync(folder));
  });
  const bytes = optional.reduce((sum, folder) => sum + bytesBelow(folder), 0);
  return {
    ...listPacked(ownFolder),
    packages: 1 + Object.keys(dependencies).length,
    optional: { packages: optional.length, bytes },
  };
}

/** What npm has installed into a folder. */
export function measureInstalled(folder: string): Installed {
  const modules = join(folder, "node_modules");
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")) as { packages: object };
  return { packages: Object.keys(packages).length, bytes: bytesBelow(modules) };
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  const file = join(folder, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Manifest) : {};
}

function installedFolder(name: string): string {
  return join(root, "node_modules", name);
}

function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
