/** How the reference is set for man: the macros of man(7) that groff and mandoc both know. */
import { blocksOf } from "../help/blocks.ts";
import type { Page } from "../help/page.ts";
import { partsOf } from "./inline.ts";

/** A page of the help's own texts, in roff. */
export const roffPage: Page = {
  isColoured: false,
  heading: (text) => `.SH ${quoted(text)}\n`,
  paragraphs: (text) => blocksOf(text).map(block).join(""),
  definitions: (rows) => rows.map(definition).join(""),
  indented: (text) => blocksOf(text).map(block).join(""),
  verbatim,
  dim: (text) => text,
};

/** The title of a page; then no word is broken at a line's end, for many are names of flags and variables. */
export function titleLine(name: string, version: string): string {
  return `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(version)} "Manual of msgctl"\n.nh\n.ad l\n`;
}

/** A text within a line. */
export function prose(text: string): string {
  return safeLine(
    partsOf(text)
      .map((part) => (part.isCode ? `\\fB${literal(part.text)}\\fR` : escaped(part.text)))
      .join(""),
  );
}

/** What is typed as it stands: its dashes are those of a command line. */
export function literal(text: string): string {
  return escaped(text).replaceAll("-", "\\-");
}

/** Lines that are never broken or filled. */
function verbatim(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line !== "");
  return [".PP", ".RS 4", ".nf", ...lines.slice(first).map((line) => safeLine(literal(line))), ".fi", ".RE", ""].join(
    "\n",
  );
}

function block({ isItem, text }: { isItem: boolean; text: string }): string {
  return isItem ? `.IP \\(bu 2\n${prose(text)}\n` : `.PP\n${prose(text)}\n`;
}

function definition([term, text]: readonly [string, string]): string {
  return `.TP\n\\fB${literal(term.trim())}\\fR\n${prose(text)}\n`;
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** A dot or an apostrophe at the start of a line would be a request. */
function safeLine(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replace(/[^\n\x20-\x7e]/gu, (character) => {
      return `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
    });
}
