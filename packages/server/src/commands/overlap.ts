import { parseDuration } from "../rules/durations.ts";
import { ConfigError } from "../settings/config.ts";

const LONGEST_MS = 30 * 24 * 60 * 60 * 1_000;

/** Returns how long the old secret stays valid after a rotation, in milliseconds. Throws for an invalid duration. */
export function readOverlap(flag: string): number {
  const overlapMs = flag === "0" ? 0 : parseDuration(flag);
  if (overlapMs !== undefined && overlapMs <= LONGEST_MS) return overlapMs;
  throw new ConfigError(`--overlap: expected 0, or a time up to 30d such as 30m, 24h or 7d; received "${flag}"`);
}
