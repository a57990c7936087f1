/** Builds a package of this project as it would be packed now: with the project's settings, outside of its `dist`. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "tsup";
import configurations from "../../tsup.config.ts";

/** esbuild's report of a build: for each file written, the bytes of each source. */
export interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, { bytesInOutput: number }>> }>>;
}

/** Builds the configuration `name` of tsup.config.ts into `folder`, and copies the manifest there. */
export async function buildPackage(name: "sdk" | "cli", source: string, folder: string): Promise<Metafile> {
  const settings = Array.isArray(configurations) ? configurations.find((each) => each.name === name) : undefined;
  if (settings === undefined) throw new Error(`tsup.config.ts has no configuration of the name ${name}`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(source, "package.json"), join(folder, "package.json"));
  const outDir = join(folder, "dist");
  // remove the files of an earlier build, whose names may differ
  rmSync(outDir, { recursive: true, force: true });
  await build({ ...settings, config: false, silent: true, dts: false, metafile: true, outDir });
  return takeMetafile(outDir);
}

/** Reads the metafile and deletes it, because the package does not contain it. */
function takeMetafile(dist: string): Metafile {
  const written = readdirSync(dist).filter((name) => /^metafile-\w+\.json$/.test(name));
  const texts = written.map((name) => readFileSync(join(dist, name), "utf8"));
  for (const name of written) rmSync(join(dist, name));
  const outputs = texts.map((text) => (JSON.parse(text) as Metafile).outputs);
  return { outputs: Object.assign({}, ...outputs) };
}
