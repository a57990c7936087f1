// From the document's text to files on disk. Knows no artefact: main.ts names them.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareFiles, type Drift, ignoreMissing, writeFiles } from "../../../scripts/generated-files.ts";
import { type Artefact, NOTICE } from "./artefact.ts";
import { readContract } from "./document/contract.ts";
import { PAGE_NOTICE, type PageSet } from "./page-set.ts";

const DOCUMENT = "openapi.yaml";

/** Renders every artefact and page from `openapi.yaml` under the root: the text of each file by its path. */
export async function render(
  root: string,
  artefacts: readonly Artefact[],
  pageSets: readonly PageSet[] = [],
): Promise<Map<string, string>> {
  const text = await readFile(join(root, DOCUMENT), "utf8").catch(ignoreMissing);
  if (text === undefined) throw new Error(`There is no ${DOCUMENT} in ${root}: give the project's folder with --root.`);
  const contract = readContract(text, DOCUMENT);
  const files = new Map<string, string>();
  for (const artefact of artefacts) files.set(artefact.path, `${NOTICE}\n\n${await artefact.render(contract)}`);
  for (const { folder, render } of pageSets) {
    for (const [name, page] of render(contract)) files.set(`${folder}/${name}`, `${PAGE_NOTICE}\n\n${page}`);
  }
  return files;
}

/** Deletes every generated folder, and those of the page sets, and writes the files, so that none is left of an artefact that is no more. */
export async function write(
  root: string,
  files: ReadonlyMap<string, string>,
  pageSets: readonly PageSet[] = [],
): Promise<void> {
  await writeFiles(root, files, await generatedFolders(root, pageSets));
}

/** Compares the generated folders with what they must hold; a file that no artefact makes is drift too. */
export async function compare(
  root: string,
  files: ReadonlyMap<string, string>,
  pageSets: readonly PageSet[] = [],
): Promise<Drift[]> {
  return compareFiles(root, files, await generatedFolders(root, pageSets));
}

/** Every `packages/<name>/src/generated` that exists, and the folders of the page sets. */
async function generatedFolders(root: string, pageSets: readonly PageSet[]): Promise<string[]> {
  const packages = await readdir(join(root, "packages"));
  const folders = packages.sort().map((name) => `packages/${name}/src/generated`);
  const present = await Promise.all(folders.map((folder) => readdir(join(root, folder)).catch(ignoreMissing)));
  return [...folders.filter((_, index) => present[index] !== undefined), ...pageSets.map(({ folder }) => folder)];
}
