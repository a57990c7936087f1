// The reference of msgctl, from its own data: docs/cli for readers on GitHub, man/ for `man`.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Reference } from "msgctl/reference";
import { formatNotice, type PageSet } from "../../page-set.ts";
import { markdownPage } from "../markdown.ts";
import { manPages } from "./man-pages.ts";
import { markdownPages } from "./markdown-pages.ts";

const SOURCES = "openapi.yaml and packages/cli/src";
const MAN_NOTICE = `.\\" ${formatNotice(SOURCES)}`;
const DOCS = "docs/cli";
const PACKAGE = "packages/cli";
const MANIFEST = `${PACKAGE}/package.json`;

export const pageSet: PageSet<string> = {
  folders: [DOCS, `${PACKAGE}/man`],
  async render(root) {
    // imported here, because it is made from the contract's records, which the previous stage writes
    const { reference } = await import("msgctl/reference");
    return renderReference(reference, JSON.parse(await readFile(join(root, MANIFEST), "utf8")));
  },
};

/**
 * Every file of the reference by its path from the root of the project, and the package's manifest, which lists the man
 * pages: npm installs only man pages that a manifest names one by one, and ignores a folder.
 */
export function renderReference(reference: Reference, manifest: object): Map<string, string> {
  const man = manPages(reference).map(([name, text]): [string, string] => [`man/${name}.1`, `${MAN_NOTICE}\n${text}`]);
  const files = [
    ...markdownPages(reference).map(([name, parts]) => [`${DOCS}/${name}`, markdownPage(SOURCES, parts)] as const),
    ...man.map(([path, text]) => [`${PACKAGE}/${path}`, text] as const),
    [MANIFEST, `${JSON.stringify({ ...manifest, man: man.map(([path]) => path).sort() }, null, 2)}\n`] as const,
  ];
  const byPath = new Map(files);
  if (byPath.size !== files.length) throw new Error("Two pages of the reference have one name.");
  return byPath;
}
