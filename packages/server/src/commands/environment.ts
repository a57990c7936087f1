// The environment of commands, and how they read flags and print.

import type { Restored } from "../dispatch/messages/restoration.ts";
import { parseDuration } from "../domain/calendar.ts";
import { countCharacters } from "../domain/unicode.ts";
import type { Clock } from "../platform/clock.ts";
import type { DatabaseLocation } from "../platform/database-url.ts";
import { ConfigError } from "../settings/config.ts";
import type { Databases } from "../store/databases.ts";
import type { Store } from "../store/store.ts";

/** Ports of the commands, which may run while a server does. */
export interface CommandEnvironment {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly clock: Clock;
  readonly openStore: (database: DatabaseLocation) => Promise<Store>;
  readonly databases: Databases<Restored>;
  /** Used to test whether a carrier's public URL leads to the server. */
  readonly fetch: typeof fetch;
}

/** The flag of every command that works on a database. */
export interface DataFlags {
  readonly data?: string;
}

/** The flags of commands that also print their results. */
export interface OutputFlags extends DataFlags {
  readonly output: OutputFormat;
}

/** The streams of a command: data and the ready line go to `out`, everything else to `err`. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

export type OutputFormat = "text" | "json";

/** Prints a list: one JSON array for programs, or one line per row for people; for an empty list, `none` to `err`. */
export function printList<Row>(
  output: Output,
  list: { format: OutputFormat; rows: readonly Row[]; none: string; describe(row: Row): string },
): void {
  const { format, rows, none, describe } = list;
  if (format === "json") output.out(`${JSON.stringify(rows)}\n`);
  else if (rows.length === 0) output.err(`${none}\n`);
  else for (const row of rows) output.out(describe(row));
}

/** Prints one object: as JSON for programs, as aligned lines for people. */
export function print(
  output: Output,
  format: OutputFormat,
  values: Readonly<Record<string, string | number | boolean | null>>,
): void {
  if (format === "json") {
    output.out(`${JSON.stringify(values)}\n`);
    return;
  }
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  for (const [name, value] of Object.entries(values)) output.out(`${name.padEnd(width)}  ${value ?? "-"}\n`);
}

/** Characters that would control a terminal or rearrange its lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/gu;

/** Makes foreign text safe for a terminal: on one line, with unprintable characters escaped, such as `\u001b`. */
export function toPrintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The longest excerpt of a text, in characters. */
const EXCERPT = 60;

/** Returns the beginning of a text, for a line on a terminal. */
export function excerpt(text: string): string {
  const characters = Array.from(text.slice(0, 2 * EXCERPT).replaceAll(/\s+/g, " "));
  const isCut = characters.length > EXCERPT || text.length > 2 * EXCERPT;
  return toPrintable(characters.slice(0, EXCERPT).join("")) + (isCut ? "…" : "");
}

const MOST_LISTED = 10_000;
const LONGEST_OVERLAP_MS = 30 * 24 * 60 * 60 * 1_000;
/** The longest name, in characters. */
const LONGEST_NAME = 100;

/** Reads a text that is stored and shown. Throws if it is not printable or too long. */
export function readText(flag: string, text: string, longest: number): string {
  const trimmed = text.trim();
  const count = countCharacters(trimmed);
  if (count === 0 || count > longest) {
    throw new ConfigError(`${flag}: expected 1 to ${longest} characters, received ${count}`);
  }
  const shown = toPrintable(trimmed);
  if (shown === trimmed) return trimmed;
  throw new ConfigError(
    `${flag}: expected text on one line without control characters, received "${shown}": remove the characters shown as \\u…`,
  );
}

/** Reads `--by`: the name of the deciding operator. */
export function readDecider(by: string): string {
  return readText("--by", by, LONGEST_NAME);
}

/** Parses a tenant's id. Throws if it is not a number. */
export function readTenantId(text: string, name = "--tenant"): number {
  if (/^[1-9]\d{0,15}$/.test(text)) return Number(text);
  throw new ConfigError(
    `${name}: expected the number of a tenant, received "${toPrintable(text)}": msgd tenants list shows them`,
  );
}

/** Reads an optional `--tenant`. */
export function readOptionalTenantId({ tenant }: { readonly tenant?: string }): number | undefined {
  return tenant === undefined ? undefined : readTenantId(tenant);
}

/** Reads `--limit`: the maximum number of rows in a list. */
export function readLimit(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MOST_LISTED) return Number(text);
  throw new ConfigError(`--limit: expected 1 to ${MOST_LISTED}, received "${text}"`);
}

/** Reads `--overlap`: how long the old secret stays valid after a rotation, in milliseconds. */
export function readOverlap(flag: string): number {
  const overlapMs = flag === "0" ? 0 : parseDuration(flag);
  if (overlapMs !== undefined && overlapMs <= LONGEST_OVERLAP_MS) return overlapMs;
  throw new ConfigError(`--overlap: expected 0, or a time up to 30d such as 30m, 24h or 7d; received "${flag}"`);
}
