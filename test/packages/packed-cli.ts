// msgctl as npm would pack it, without packing it.

import { execFileSync } from "node:child_process";
import { npmCommand } from "./packed.ts";

export interface PackedCli {
  /** Of the compressed tarball. */
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** All JavaScript that is shipped. */
  readonly scriptBytes: number;
}

/** What `npm pack` would put into the tarball of the package in `folder`. */
export function listPacked(folder: string): PackedCli {
  const { file, args, options } = npmCommand(["pack", "--dry-run", "--json", "--ignore-scripts"]);
  const told = execFileSync(file, args, { ...options, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const [packed] = JSON.parse(told.toString()) as {
    size: number;
    unpackedSize: number;
    files: { path: string; size: number }[];
  }[];
  if (packed === undefined) throw new Error("npm pack told of no package");
  const files = packed.files.map(({ path, size }) => ({ path, bytes: size }));
  const scripts = files.filter(({ path }) => /\.[cm]?js$/.test(path));
  return {
    ...{ packedBytes: packed.size, unpackedBytes: packed.unpackedSize, files },
    scriptBytes: scripts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
