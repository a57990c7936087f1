// How the reference is set for man: the macros of man(7) that groff and mandoc both know.
import { type Block, splitCode } from "../plain-text.ts";

/** The title of a page; then no word is broken at a line's end, for many are names of flags and variables. */
export function titleLine(name: string, version: string): string {
  return `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(version)} "Manual of msgctl"\n.nh\n.ad l\n`;
}

/** A heading with what stands under it; a section begins with a paragraph of itself. */
export function section(title: string, ...content: readonly string[]): string {
  return `.SH ${quoted(title)}\n${content.join("").replace(/^\.PP\n/, "")}`;
}

/** Paragraphs and lists of plain text. */
export function paragraphs(blocks: readonly Block[]): string {
  return blocks.map(({ isItem, text }) => `${isItem ? ".IP \\(bu 2" : ".PP"}\n${prose(text)}\n`).join("");
}

/** A paragraph of plain text. */
export function paragraph(text: string): string {
  return paragraphs([{ isItem: false, text }]);
}

/** Terms, each with its text. */
export function definitions(rows: readonly (readonly [term: string, text: string])[]): string {
  return rows.map(([term, text]) => `.TP\n\\fB${literal(term)}\\fR\n${prose(text)}\n`).join("");
}

/** Lines that are never broken or filled. */
export function verbatim(lines: readonly string[]): string {
  return `.PP\n.RS 4\n.nf\n${lines.map((line) => `${safeLine(literal(line))}\n`).join("")}.fi\n.RE\n`;
}

/** A text within a line. */
export function prose(text: string): string {
  return safeLine(
    splitCode(text)
      .map((part) => (part.isCode ? `\\fB${literal(part.text)}\\fR` : escapeRoff(part.text)))
      .join(""),
  );
}

/** What is typed as it stands: its dashes are those of a command line. */
export function literal(text: string): string {
  return escapeRoff(text).replaceAll("-", "\\-");
}

function quoted(text: string): string {
  return `"${escapeRoff(text)}"`;
}

/** A dot or an apostrophe at the start of a line would be a request. */
function safeLine(line: string): string {
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

function escapeRoff(text: string): string {
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
