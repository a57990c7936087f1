// Parsing of pages for tests: fenced blocks, headings and links.

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks that start at the margin, in order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({ language, text }));
}

/** The text of a page without its code, in which brackets are not links and `#` begins no heading. */
function proseOf(page: string): string {
  return page.replaceAll(/^ *(`{3,})[^\n]*\n[\s\S]*?^ *\1$/gm, "").replaceAll(/<!--[\s\S]*?-->/g, "");
}

/** The anchors of a page's headings, as GitHub makes them. The second heading of the same name gets `-1` appended. */
export function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, title = ""] of proseOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = slugOf(title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1"));
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Targets of links and images, inline or by reference. */
export function linksOf(page: string): string[] {
  const text = proseOf(page).replaceAll(/`[^`\n]+`/g, "");
  const inline = [...text.matchAll(/\]\(<?([^()\s>]+(?:\([^()\s]*\))?)>?(?: "[^"]*")?\)/g)];
  const named = [...text.matchAll(/^\[[^\]]+\]: *(\S+)/gm)];
  const tags = [...text.matchAll(/<(?:a|img)\b[^>]*?\b(?:href|src)="([^"]*)"/g)];
  return [...inline, ...named, ...tags].map(([, target = ""]) => target);
}
