/** Size of an installation: packages, and bytes of all their files. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { npmCommand } from "../../packages/packed.ts";
import { root } from "../sdk/places.ts";
import { ownFolder } from "./places.ts";

export interface Installed {
  readonly packages: number;
  readonly bytes: number;
}

export interface OwnSize {
  /** Size of the compressed tarball. */
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  /** Size of all shipped JavaScript. */
  readonly scriptBytes: number;
  /** Size of the JSON data that it reads. */
  readonly dataBytes: number;
  /** Number of packages that are always installed, including itself. */
  readonly packages: number;
  /** Optional packages that npm installs if they match the machine. */
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
    ...measurePacked(ownFolder),
    packages: 1 + Object.keys(dependencies).length,
    optional: { packages: optional.length, bytes },
  };
}

/** Measures the tarball that `npm pack` would make of the package in `folder`. */
function measurePacked(folder: string): Pick<OwnSize, "packedBytes" | "unpackedBytes" | "scriptBytes" | "dataBytes"> {
  const { file, args, options } = npmCommand(["pack", "--dry-run", "--json", "--ignore-scripts"]);
  const told = execFileSync(file, args, { ...options, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const [packed] = JSON.parse(told.toString()) as Packed[];
  if (packed === undefined) throw new Error("npm pack reported no package");
  const bytesOf = (kind: RegExp) => packed.files.reduce((sum, { path, size }) => sum + (kind.test(path) ? size : 0), 0);
  return {
    ...{ packedBytes: packed.size, unpackedBytes: packed.unpackedSize },
    ...{ scriptBytes: bytesOf(/\.[cm]?js$/), dataBytes: bytesOf(/^dist\/.*\.json$/) },
  };
}

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Measures everything that npm has installed into a folder. */
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
