/** How the reference is set in Markdown, as GitHub reads it. */
import { blocksOf } from "../help/blocks.ts";
import type { Page } from "../help/page.ts";
import { partsOf } from "./inline.ts";

/** A page of the help's own texts: what they put on a terminal becomes headings, tables and fenced blocks. */
export const markdownPage: Page = {
  isColoured: false,
  heading: (text) => `## ${sentenceCase(text)}\n\n`,
  paragraphs,
  definitions: (rows) =>
    table(
      ["", ""],
      rows.map(([term, text]) => [code(term.trim()), prose(text)]),
    ),
  indented: paragraphs,
  verbatim: (lines) => (lines[0] === "" ? "\n" : "") + shellBlock(lines),
  dim: (text) => text,
};

/** Paragraphs and lists, each followed by a line feed. */
export function paragraphs(text: string): string {
  return blocksOf(text)
    .map(({ isItem, text: block }, index) => {
      if (isItem) return `- ${prose(block)}\n`;
      return `${index > 0 ? "\n" : ""}${prose(block)}\n`;
    })
    .join("")
    .replace(/(?<=\n|^)(?!- )([^\n]+)\n(?=- )/g, "$1\n\n");
}

/** A text within a line. */
export function prose(text: string): string {
  return partsOf(text)
    .map((part) => (part.isCode ? code(part.text) : escaped(part.text)))
    .join("");
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** Lines for a shell. */
export function shellBlock(lines: readonly string[]): string {
  return ["```sh", ...lines.slice(lines.findIndex((line) => line !== "")), "```", ""].join("\n");
}

/** Cells are Markdown already, but for the bars within them. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

/** The place of a heading on its page, by GitHub's rule for such headings as this reference has. */
export function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}

function escaped(text: string): string {
  return text.replace(/[*<]|(?<!\w)_|_(?!\w)/g, (character) => (character === "<" ? "&lt;" : `\\${character}`));
}

/** `EXIT CODES` is for terminals; a word of three letters is an abbreviation. */
function sentenceCase(text: string): string {
  if (text.length <= 3) return text;
  return text.charAt(0) + text.slice(1).toLowerCase();
}
