// From the document's text to files on disk. Knows no artefact: main.ts names them.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type Artefact, NOTICE } from "./artefact.ts";
import { readContract } from "./document/contract.ts";

const DOCUMENT = "openapi.yaml";

/** A file whose text on disk is not what the contract makes it. */
export interface Drift {
  path: string;
  kind: "differs" | "missing" | "extra";
}

/** Renders every artefact from `openapi.yaml` under the root: the text of each file by its path. */
export async function render(root: string, artefacts: readonly Artefact[]): Promise<Map<string, string>> {
  const text = await readFile(join(root, DOCUMENT), "utf8").catch(ignoreMissing);
  if (text === undefined) throw new Error(`There is no ${DOCUMENT} in ${root}: give the project's folder with --root.`);
  const contract = readContract(text, DOCUMENT);
  const files = new Map<string, string>();
  for (const artefact of artefacts) files.set(artefact.path, `${NOTICE}\n\n${await artefact.render(contract)}`);
  return files;
}

/** Deletes every generated folder and writes the files, so that none is left of an artefact that is no more. */
export async function write(root: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const folder of await generatedFolders(root)) await rm(join(root, folder), { recursive: true });
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Compares the generated folders with what they must hold; a file that no artefact makes is drift too. */
export async function compare(root: string, files: ReadonlyMap<string, string>): Promise<Drift[]> {
  const drifts: Drift[] = [];
  for (const [path, text] of files) {
    const present = await readFile(join(root, path), "utf8").catch(ignoreMissing);
    if (present !== text) drifts.push({ path, kind: present === undefined ? "missing" : "differs" });
  }
  for (const folder of await generatedFolders(root)) {
    for (const path of await filesIn(root, folder)) if (!files.has(path)) drifts.push({ path, kind: "extra" });
  }
  return drifts.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Every `packages/<name>/src/generated` that exists. */
async function generatedFolders(root: string): Promise<string[]> {
  const packages = await readdir(join(root, "packages"));
  const folders = packages.sort().map((name) => `packages/${name}/src/generated`);
  const present = await Promise.all(folders.map((folder) => readdir(join(root, folder)).catch(ignoreMissing)));
  return folders.filter((_, index) => present[index] !== undefined);
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
