// Formats the reference for man, with the macros of man(7) that groff and mandoc both support.
import { type Block, splitCode } from "../plain-text.ts";

/** The title of a page. Turns hyphenation off, since many words are names of flags and variables. */
export function titleLine(name: string, version: string): string {
  return `.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(version)} "Manual of msgctl"\n.nh\n.ad l\n`;
}

/** A heading followed by its content. A section needs no macro to begin its first paragraph. */
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

/** Lines that are never wrapped or filled. */
export function verbatim(lines: readonly string[]): string {
  return `.PP\n.RS 4\n.nf\n${lines.map((line) => `${safeLine(literal(line))}\n`).join("")}.fi\n.RE\n`;
}

/** Inline text. */
export function prose(text: string): string {
  return safeLine(
    splitCode(text)
      .map((part) => (part.isCode ? `\\fB${literal(part.text)}\\fR` : escapeRoff(part.text)))
      .join(""),
  );
}

/** Text to be typed literally, with dashes as on a command line. */
export function literal(text: string): string {
  return escapeRoff(text).replaceAll("-", "\\-");
}

function quoted(text: string): string {
  return `"${escapeRoff(text)}"`;
}

/** Escapes a dot or an apostrophe at the start of a line, which would be a roff request. */
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
