// Links of pages that are read outside of the repository: a README on npm's site, the notes of a release. A relative link
// leads nowhere there, so each becomes absolute, to the files of one version.

import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { linksOf } from "../docs/markdown.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Matches code, in which brackets are not links, or a link up to its target. */
const CODE_OR_LINK = /^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1$|`[^`\n]+`|(!?)(\[(?:[^[\]]|\[[^\]]*\])*\]\()([^()\s<>]+)/gm;

/**
 * Makes the relative links of a page absolute. Links to headings of the same page stay as they are.
 *
 * @param file the page's path in the repository
 * @param addresses the repository's URL, and the tag of the version
 * @throws {Error} If a link leads to a missing file, or is written in a form that is not rewritten.
 */
export function withAbsoluteLinks(
  page: string,
  file: string,
  { repository, tag }: { repository: string; tag: string },
): string {
  const absolute = (target: string, isImage: boolean) => {
    const [path = "", anchor] = target.split("#", 2);
    const named = posix.normalize(posix.join(posix.dirname(file), decodeURIComponent(path))).replace(/\/$/, "");
    const there = join(root, named);
    if (named.startsWith("..") || !existsSync(there)) throw new Error(`${file}: the link ${target} leads to no file.`);
    const kind = isImage ? "raw" : statSync(there).isDirectory() ? "tree" : "blob";
    return `${repository}/${kind}/${tag}/${encodeURI(named)}${anchor === undefined ? "" : `#${anchor}`}`;
  };
  const rewrite = (code: string, _fence?: string, image?: string, text?: string, target?: string): string => {
    if (text === undefined || target === undefined) return code;
    // the text of a link may be an image
    const inner = text.replaceAll(CODE_OR_LINK, rewrite);
    return `${image}${inner}${isRelative(target) ? absolute(target, image === "!") : target}`;
  };
  const rewritten = page.replaceAll(CODE_OR_LINK, rewrite);
  const left = linksOf(rewritten).filter(isRelative);
  if (left.length > 0) {
    throw new Error(`${file}: a link to ${left.join(", ")} is not of the form [text](target). Write it in that form.`);
  }
  return rewritten;
}

function isRelative(target: string): boolean {
  return !target.startsWith("#") && !/^[a-z][a-z\d+.-]*:/i.test(target);
}
