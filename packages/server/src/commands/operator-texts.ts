import { countCharacters } from "../rules/unicode.ts";
import { ConfigError } from "../settings/config.ts";
import { toPrintable } from "./printable.ts";

/** Of a name, in characters. */
const LONGEST_NAME = 100;

/** Reads what an operator writes into a flag, to be kept and shown. Throws unless it is printable and short enough. */
export function readText(flag: string, text: string, longest: number): string {
  const trimmed = text.trim();
  const count = countCharacters(trimmed);
  if (count === 0 || count > longest) {
    throw new ConfigError(`${flag}: expected 1 to ${longest} characters, received ${count}`);
  }
  const shown = toPrintable(trimmed);
  if (shown === trimmed) return trimmed;
  throw new ConfigError(
    `${flag}: expected text on one line without control characters, received "${shown}": leave out what begins with \\u`,
  );
}

/** Reads `--by`: who decides. */
export function readDecider(by: string): string {
  return readText("--by", by, LONGEST_NAME);
}

/** Of a text in a line, in characters. */
const EXCERPT = 60;

/** The beginning of somebody's text, for a line on a terminal. */
export function excerpt(text: string): string {
  const characters = Array.from(text.slice(0, 2 * EXCERPT).replaceAll(/\s+/g, " "));
  const isCut = characters.length > EXCERPT || text.length > 2 * EXCERPT;
  return toPrintable(characters.slice(0, EXCERPT).join("")) + (isCut ? "…" : "");
}
