// Collects the licences of bundled packages, since users receive the bundle without those packages.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Plugin } from "esbuild";

const RULE = "-".repeat(80);

/**
 * Writes, at the end of a build, the licence of every package of node_modules with code in the bundle: into `name` next to
 * the bundle. Builds that share the plug-in share the file. A package without a licence file fails the build.
 */
export function bundledLicences(name: string): Plugin {
  const folders = new Set<string>();
  let written: Promise<void> = Promise.resolve();
  return {
    name: "bundled-licences",
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(async ({ metafile, errors }) => {
        if (metafile === undefined || errors.length > 0) return;
        const used = Object.values(metafile.outputs).flatMap(({ inputs }) => {
          return Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : []));
        });
        for (const folder of packageFolders(used)) folders.add(folder);
        const path = join(build.initialOptions.outdir ?? "", name);
        written = written.then(() => writeLicences(path, [...folders]));
        await written;
      });
    },
  };
}

async function writeLicences(path: string, folders: readonly string[]): Promise<void> {
  const texts = await Promise.all(folders.map(readLicence));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, [INTRODUCTION, ...texts.sort()].join(`\n${RULE}\n`));
}

const INTRODUCTION =
  "The JavaScript of this folder contains code of these packages, each under the licence that follows its name.\n";

/** Packages whose licence is only in their readme. */
const STATED: ReadonlySet<string> = new Set(["abstract-logging"]);

/** The folders of the packages that contain these files, each once. */
export function packageFolders(files: readonly string[]): string[] {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder !== undefined))];
}

async function readLicence(folder: string): Promise<string> {
  const { name, version, license, repository } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = await readdir(folder);
  const named = files.filter((file) => /^(?:licen[cs]e|notice)(?:[.-]|$)/i.test(file)).sort();
  if (named.length === 0 && STATED.has(name)) named.push(...files.filter((file) => /^readme/i.test(file)));
  if (named.length === 0) throw new Error(`${name} ${version} is bundled, but has no licence file to ship with it.`);
  const texts = await Promise.all(named.map((file) => readFile(join(folder, file), "utf8")));
  return `\n${name} ${version} (${license})\nSource: ${repository?.url ?? repository}\n\n${texts.map((text) => text.trim().replaceAll("\r\n", "\n")).join("\n\n")}\n`;
}
