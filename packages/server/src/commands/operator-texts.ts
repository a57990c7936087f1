import { countCharacters } from "../rules/unicode.ts";
import { ConfigError } from "../settings/config.ts";
import { toPrintable } from "./printable.ts";

/** The longest name, in characters. */
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
