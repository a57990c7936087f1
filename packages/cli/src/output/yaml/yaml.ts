import { printableJson, printableLines } from "../printable.ts";

/** Plain scalars that YAML 1.1 and 1.2 both read as strings: no date or syntax begins with a letter. */
const PLAIN = /^[A-Za-z](?:[A-Za-z0-9_./ -]*[A-Za-z0-9_/-])?$/;
/** Words that YAML 1.1 reads as a boolean or null, and `e5`, which some of its parsers read as a number. */
const NO_TEXT = /^(?:true|false|yes|no|on|off|null|y|n|e-?[0-9]+)$/i;
/** Lines of printable characters, the first of which is not indented. */
const LINES =
  /^[!-~\u00a1-\u2027\u2030-\ud7ff\ue000-\ufefe\u{10000}-\u{10ffff}][\t\n -~\u00a0-\u2027\u2030-\ud7ff\ue000-\ufefe\u{10000}-\u{10ffff}]*$/u;

/** A YAML document that parsers of both YAML versions read alike: `no`, `+12025550100` and `12:30` stay strings. */
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

/** The entries of a list or an object; none for a value that fits on a line. */
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

/** Several lines as a block scalar, unless something in them would be read differently. */
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

/** Quotes as in JSON, of which YAML is a superset; but YAML 1.1 has more line ends, and forbids more characters. */
function quoted(text: string): string {
  return printableJson(JSON.stringify(text)).replace(/[\ufeff\ufffe\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16)}`;
  });
}
