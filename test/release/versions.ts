// The version, which all packages share, and which each requires of the others.

import { isDeepStrictEqual } from "node:util";

export interface VersionedManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const FIELDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;

/** Manifests by their path, and the same manifests in the lock file. The one named `package.json` is the root's. */
export interface Versions {
  readonly manifests: Readonly<Record<string, VersionedManifest>>;
  readonly locked: Readonly<Record<string, VersionedManifest>>;
}

/** Lists every version that differs from the root's. */
export function findVersionFaults({ manifests, locked }: Versions): string[] {
  const expected = manifests["package.json"]?.version ?? "no version";
  const names = new Set(Object.values(manifests).map(({ name }) => name));
  const files = Object.entries(manifests).map(([file, manifest]) => [file, manifest] as const);
  const locks = Object.entries(locked).map(([file, manifest]) => [`package-lock.json, of ${file}`, manifest] as const);
  return [...files, ...locks].flatMap(([file, manifest]) => {
    const others = FIELDS.flatMap((field) => Object.entries(manifest[field] ?? {})).filter(([name]) => names.has(name));
    return [["version", manifest.version] as const, ...others]
      .filter(([, version]) => version !== expected)
      .map(([what, version]) => `${file}: ${what} is ${version}, expected ${expected}`);
  });
}

/** Sets the version of a manifest, and the versions of packages in `names` that it depends on. */
export function withVersion<Manifest extends VersionedManifest>(
  manifest: Manifest,
  version: string,
  names: ReadonlySet<string>,
): Manifest {
  const changed = FIELDS.flatMap((field) => {
    const given = manifest[field];
    if (given === undefined) return [];
    const set = Object.entries(given).map(([name, range]) => [name, names.has(name) ? version : range]);
    return [[field, Object.fromEntries(set)]];
  });
  return { ...manifest, version, ...Object.fromEntries(changed) };
}

/**
 * Does the same to the text of a manifest, which keeps its form.
 *
 * @throws {Error} If the text has a form in which a version is not found.
 */
export function withVersionInText(text: string, version: string, names: ReadonlySet<string>): string {
  // a key may also be the name of a program, whose value is a path
  const changed = text.replaceAll(/^( +)"([^"]+)": "[\^~]?\d[^"/]*"/gm, (line, indent: string, key: string) =>
    (key === "version" && indent.length === 2) || (names.has(key) && indent.length === 4)
      ? `${indent}"${key}": "${version}"`
      : line,
  );
  const expected = withVersion(JSON.parse(text) as VersionedManifest, version, names);
  if (isDeepStrictEqual(JSON.parse(changed), expected)) return changed;
  throw new Error(
    `A package.json is not indented as npm writes it, so its version cannot be set:\n${text.slice(0, 200)}`,
  );
}

/** @throws {Error} If the text is not a version. */
export function checkVersion(text: string): string {
  if (/^\d+\.\d+\.\d+(?:-[\da-z]+(?:\.[\da-z]+)*)?$/.test(text)) return text;
  throw new Error(`The version is ${JSON.stringify(text)}. It takes three numbers, such as 0.1.0 or 1.0.0-rc.1.`);
}

/** Sorts packages so that each comes after those that it depends on, which have to be published first. */
export function inOrder<Package extends { readonly manifest: VersionedManifest }>(
  packages: readonly Package[],
): Package[] {
  const sorted = new Set<Package>();
  const add = (each: Package, from: readonly Package[]) => {
    if (from.includes(each)) {
      throw new Error(`${from.map(({ manifest }) => manifest.name).join(", ")} depend on each other in a circle.`);
    }
    const { dependencies, peerDependencies } = each.manifest;
    const needed = Object.keys({ ...dependencies, ...peerDependencies });
    for (const other of packages) if (needed.includes(other.manifest.name)) add(other, [...from, each]);
    sorted.add(each);
  };
  for (const each of packages) add(each, []);
  return [...sorted];
}
