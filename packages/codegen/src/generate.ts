// Renders files from the contract, then from the packages that use it. stages.ts names the artefacts and the pages.
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type Artefact, NOTICE, noticeOf } from "./artefact.ts";
import { readApart, readBeside, readContract, withCallbacks } from "./document/contract.ts";
import { type GeneratedFiles, ignoreMissing } from "./generated-files.ts";
import type { ApiDocument, Contract } from "./model.ts";
import type { PageSet } from "./page-set.ts";

const DOCUMENT = "openapi.yaml";

/** An API with a separate document. */
export interface ApiBeside {
  /** Path from the root of the project. */
  readonly path: string;
  /** Whether it shares nothing with the contract. @default it extends the contract */
  readonly isApart?: boolean;
  readonly artefacts: readonly Artefact<ApiDocument>[];
}

/**
 * The first stage: renders the files that are made only from `openapi.yaml`. It owns every folder named `generated`, even if
 * no artefact is written there any more.
 */
export async function renderContract(
  root: string,
  artefacts: readonly Artefact[],
  pageSets: readonly PageSet<Contract>[] = [],
  beside: readonly ApiBeside[] = [],
): Promise<GeneratedFiles> {
  const text = await readFile(join(root, DOCUMENT), "utf8").catch(ignoreMissing);
  if (text === undefined) throw new Error(`There is no ${DOCUMENT} in ${root}.`);
  const contract = readContract(text, DOCUMENT);
  const files = new Map<string, string>();
  for (const artefact of artefacts) files.set(artefact.path, `${NOTICE}\n\n${await artefact.render(contract)}`);
  let shown = contract;
  for (const { path, isApart = false, artefacts } of beside) {
    const own = await readFile(join(root, path), "utf8");
    const name = relative(dirname(path), DOCUMENT).split(sep).join("/");
    const document = isApart ? readApart(own, path) : readBeside(own, path, { text, name });
    if (!isApart) shown = withCallbacks(shown, document);
    for (const artefact of artefacts)
      files.set(artefact.path, `${noticeOf(path)}\n\n${await artefact.render(document)}`);
  }
  const pages = await renderPages(shown, pageSets);
  return {
    files: new Map([...files, ...pages.files]),
    folders: [...(await generatedFolders(root)), ...pages.folders],
  };
}

/** Makes a stage that renders pages. The second stage reads the packages, which contain files of the first. */
export async function renderPages<Source>(
  source: Source,
  pageSets: readonly PageSet<Source>[],
): Promise<GeneratedFiles> {
  const rendered = await Promise.all(pageSets.map((pageSet) => pageSet.render(source)));
  return {
    files: new Map(rendered.flatMap((files) => [...files])),
    folders: pageSets.flatMap(({ folders }) => folders),
  };
}

/** Every `packages/<name>/src/generated` that exists. */
async function generatedFolders(root: string): Promise<string[]> {
  const packages = await readdir(join(root, "packages"));
  const folders = packages.sort().map((name) => `packages/${name}/src/generated`);
  const present = await Promise.all(folders.map((folder) => readdir(join(root, folder)).catch(ignoreMissing)));
  return folders.filter((_, index) => present[index] !== undefined);
}
