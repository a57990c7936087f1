// Formats GitHub-flavoured Markdown for every generated page.
import { formatNotice } from "../page-set.ts";
import { type Block, splitCode } from "./plain-text.ts";

/** A page: the notice, then the non-empty parts, separated by blank lines. */
export function markdownPage(sources: string, parts: readonly string[]): string {
  return `${[`<!-- ${formatNotice(sources)} -->`, ...parts.filter((part) => part !== "")].join("\n\n")}\n`;
}

/** Paragraphs and lists of plain text. */
export function paragraphs(blocks: readonly Block[]): string {
  return blocks
    .map(({ isItem, text }, index) => {
      const gap = index === 0 ? "" : isItem && blocks[index - 1]?.isItem ? "\n" : "\n\n";
      return gap + (isItem ? list([prose(text)]) : prose(text));
    })
    .join("");
}

/** Plain text as inline Markdown, with code marked as code. */
export function prose(text: string): string {
  return splitCode(text)
    .map((part) => (part.isCode ? code(part.text) : escapeMarkdown(part.text)))
    .join("");
}

function escapeMarkdown(text: string): string {
  return text.replace(/[*<]|(?<!\w)_|_(?!\w)/g, (character) => (character === "<" ? "&lt;" : `\\${character}`));
}

/** Inline code; `text` must not contain a backtick. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** A link; `words` is Markdown. */
export function link(words: string, target: string): string {
  return `[${words}](${target})`;
}

/** `SMS registration` → `sms-registration`, for a page's name and, on GitHub, a heading's anchor. */
export function toSlug(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** List items, one per line. */
export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

/** A table. Bars and line breaks inside cells are escaped or replaced, so that they do not end the cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(toCell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function toCell(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}

/** A value as a fenced block of JSON. */
export function jsonBlock(value: unknown): string {
  return fenced("json", JSON.stringify(value, null, 2));
}

/** A fenced block; `text` must not contain a fence. */
export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}
