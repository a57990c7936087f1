/** Lays out help texts: sections, wrapped paragraphs and two-column lists that fit the terminal. */
import { COLOURED, PLAIN } from "../output/text/style.ts";
import { displayWidth, pad } from "../output/text/width.ts";
import { wrap } from "../output/text/wrap.ts";
import { toBlocks } from "./blocks.ts";

const DEFAULT_WIDTH = 80;
/** Longest line, even on a wider terminal, since long lines are hard to read. */
const WIDEST = 100;
const INDENT = "  ";
/** Share of the width that a term may take. If a term is longer, its text starts on the next line. */
const TERM_SHARE = 0.42;

export interface Page {
  isColoured: boolean;
  heading(text: string): string;
  /** Wraps text at the width. Blank lines and list items stay separate lines. */
  paragraphs(text: string): string;
  /** Formats a list of terms, with their texts in a second column. */
  definitions(rows: readonly (readonly [term: string, text: string])[]): string;
  /** Indents a wrapped paragraph, as under a heading. */
  indented(text: string): string;
  /** Indents lines and never wraps them. */
  verbatim(lines: readonly string[]): string;
  dim(text: string): string;
}

/** Creates a page for a terminal of `columns`; undefined for a file. */
export function createPage(isColoured: boolean, columns: number | undefined): Page {
  const width = Math.min(Math.max(columns ?? DEFAULT_WIDTH, 40), WIDEST);
  const style = isColoured ? COLOURED : PLAIN;
  return {
    isColoured,
    heading: (text) => `${style.bold(text)}\n`,
    paragraphs: (text) =>
      wrapParagraphs(text, width)
        .map((line) => `${line}\n`)
        .join(""),
    definitions: (rows) => definitions(rows, width),
    indented: (text) => indent(wrapParagraphs(text, width - INDENT.length)),
    verbatim: indent,
    dim: style.dim,
  };
}

function indent(lines: readonly string[]): string {
  return lines.map((line) => (line === "" ? "\n" : `${INDENT}${line}\n`)).join("");
}

/** Formats a heading and the content below it. */
export function section(page: Page, title: string, content: string): string {
  return page.heading(title) + content;
}

function definitions(rows: readonly (readonly [string, string])[], width: number): string {
  const terms = rows.map(([term]) => displayWidth(term)).filter((length) => length <= width * TERM_SHARE);
  const column = Math.max(0, ...terms) + INDENT.length * 2;
  return rows.map(([term, text]) => definition(term, text, column, width)).join("");
}

function definition(term: string, text: string, column: number, width: number): string {
  const head = `${INDENT}${term}`;
  const lines = wrapParagraphs(text, width - column);
  const isBeside = displayWidth(head) + INDENT.length <= column;
  const first = isBeside ? `${pad(head, column)}${lines[0] ?? ""}`.trimEnd() : head;
  const rest = isBeside ? lines.slice(1) : lines;
  return [first, ...rest.map((line) => `${" ".repeat(column)}${line}`)].map((line) => `${line}\n`).join("");
}

function wrapParagraphs(text: string, width: number): string[] {
  return toBlocks(text).flatMap(({ isItem, text: block }, index) => {
    const lines = isItem ? wrap(`- ${block}`, width, INDENT) : wrap(block, width, "");
    return index > 0 && !isItem ? ["", ...lines] : lines;
  });
}
