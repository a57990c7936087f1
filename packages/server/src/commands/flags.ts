// Reading what commands are given.

import { parseDuration } from "../rules/durations.ts";
import { countCharacters } from "../rules/unicode.ts";
import { ConfigError } from "../settings/config.ts";
import { toPrintable } from "./output.ts";

const MOST_LISTED = 10_000;
const LONGEST_OVERLAP_MS = 30 * 24 * 60 * 60 * 1_000;
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

/** Parses a tenant's id. Throws unless it is a number. */
export function readTenantId(text: string, name = "--tenant"): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new ConfigError(
    `${name}: expected the number of a tenant, received "${toPrintable(text)}": msgd tenants list shows them`,
  );
}

/** Reads `--limit`: how many a list shows at most. */
export function readLimit(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MOST_LISTED) return Number(text);
  throw new ConfigError(`--limit: expected 1 to ${MOST_LISTED}, received "${text}"`);
}

/** Returns how long the old secret stays valid after a rotation, in milliseconds. Throws for an invalid duration. */
export function readOverlap(flag: string): number {
  const overlapMs = flag === "0" ? 0 : parseDuration(flag);
  if (overlapMs !== undefined && overlapMs <= LONGEST_OVERLAP_MS) return overlapMs;
  throw new ConfigError(`--overlap: expected 0, or a time up to 30d such as 30m, 24h or 7d; received "${flag}"`);
}
