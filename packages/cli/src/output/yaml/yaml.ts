import { printableJson, printableLines } from "../printable.ts";

/** Matches plain scalars that YAML 1.1 and 1.2 both read as strings: no number, date or indicator begins with a letter. */
const PLAIN = /^[A-Za-z](?:[A-Za-z0-9_./ -]*[A-Za-z0-9_/-])?$/;
/** Matches words that YAML 1.1 reads as a boolean or null, and `e5`, which some parsers of YAML 1.1 read as a number. */
const NO_TEXT = /^(?:true|false|yes|no|on|off|null|y|n|e-?[0-9]+)$/i;
/** Matches lines of printable characters whose first line is not indented. */
const LINES =
  /^[!-~\u00a1-\u2027\u2030-\ud7ff\ue000-\ufefe\u{10000}-\u{10ffff}][\t\n -~\u00a0-\u2027\u2030-\ud7ff\ue000-\ufefe\u{10000}-\u{10ffff}]*$/u;

/** Formats YAML that parsers of both YAML versions read alike: `no`, `+12025550100` and `12:30` stay strings. */
export function yamlDocument(value: unknown): string {
  return toLines(value)
    .map((line) => `${line}\n`)
    .join("");
}

function toLines(value: unknown): string[] {
  const parts = findParts(value);
  if (parts.length === 0) return typeof value === "string" ? textLines(value) : [inline(value)];
  if (Array.isArray(value)) return parts.flatMap(([, item]) => behind("- ", toLines(item)));
  return parts.flatMap(([name, part]) => {
    const lines = toLines(part);
    if (findParts(part).length > 0) return [`${inline(name)}:`, ...lines.map(indented)];
    return [`${inline(name)}: ${lines[0]}`, ...lines.slice(1)];
  });
}

/** Returns the entries of a list or an object; none for a value that is written on one line. */
function findParts(value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).filter(([, part]) => part !== undefined);
}

function behind(mark: string, [first = "", ...rest]: readonly string[]): string[] {
  return [mark + first, ...rest.map(indented)];
}

function indented(line: string): string {
  return `  ${line}`;
}

/** Formats a text of several lines as a block scalar, unless a parser would read it differently. */
function textLines(text: string): string[] {
  if (!text.includes("\n") || text.endsWith("\n\n") || !LINES.test(text) || printableLines(text) !== text)
    return [inline(text)];
  const isEnded = text.endsWith("\n");
  return [
    isEnded ? "|" : "|-",
    ...text
      .slice(0, isEnded ? -1 : undefined)
      .split("\n")
      .map(indented),
  ];
}

function inline(value: unknown): string {
  if (typeof value === "string") return PLAIN.test(value) && !NO_TEXT.test(value) ? value : quoted(value);
  return typeof value === "bigint" ? String(value) : JSON.stringify(value ?? null);
}

/** Quotes a text as JSON does, and also escapes line ends and characters that only YAML 1.1 treats specially. */
function quoted(text: string): string {
  return printableJson(JSON.stringify(text)).replace(/[\ufeff\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16)}`;
  });
}
