/** Builds msgctl as npm would install it now. */
import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { buildPackage, type Metafile } from "../built-package.ts";
import { root } from "../sdk/places.ts";
import { ownFolder } from "./places.ts";

const source = join(root, "packages/cli");

/** The program that npm would link to. */
export const ownProgram = join(ownFolder, "bin/msgctl.cjs");

export async function buildOwnPackage(): Promise<Metafile> {
  const metafile = await buildPackage("cli", source, ownFolder);
  // the files that npm packs with the build
  for (const name of ["bin", "man", "README.md", "LICENSE"]) {
    const from = join(source, name);
    if (existsSync(from)) cpSync(from, join(ownFolder, name), { recursive: true });
  }
  return metafile;
}
