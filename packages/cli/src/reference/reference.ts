/**
 * The reference of msgctl as files: docs/cli for readers on GitHub and man/ for `man`, both from the data of which the
 * help is made. Pure, and no part of the program: scripts/generate-reference.ts writes the files.
 */
import type { Catalog } from "../model/catalog.ts";
import { versionLine } from "../process/version.ts";
import { readGroups } from "./command-facts.ts";
import { manPages } from "./man-pages.ts";
import { markdownPages } from "./markdown-pages.ts";

/** The folders that hold nothing but the reference, from the root of the project. */
export const REFERENCE_FOLDERS = ["docs/cli", "packages/cli/man"] as const;
const MANIFEST = "packages/cli/package.json";

/**
 * Every file of the reference by its path from the root of the project, and the package's manifest with its man pages
 * listed: npm installs those that a manifest names one by one, and takes no notice of a folder.
 */
export async function renderReference(catalog: Catalog, manifest: object): Promise<Map<string, string>> {
  const { groups, roots } = await readGroups(catalog);
  const { examples, contractVersion } = catalog.index;
  const facts = { groups, roots, examples, version: versionLine(contractVersion) };
  const man = manPages(facts).map(([name, text]): [string, string] => [`man/${name}.1`, text]);
  const files = [
    ...markdownPages(facts).map(([name, text]): [string, string] => [`docs/cli/${name}`, text]),
    ...man.map(([path, text]): [string, string] => [`packages/cli/${path}`, text]),
    [MANIFEST, `${JSON.stringify({ ...manifest, man: man.map(([path]) => path).sort() }, null, 2)}\n`] as const,
  ];
  const byPath = new Map(files);
  if (byPath.size !== files.length) throw new Error("Two pages of the reference have one name.");
  return byPath;
}
