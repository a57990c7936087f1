/** Parses `--since`: a time or an age. */
import type { Fault } from "../../failures/errors.ts";
import { findFormat } from "../../flags/formats.ts";

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const AGO = /^(\d{1,6})([smhd])$/;

/** Returns epoch milliseconds; undefined if the flag is omitted or invalid. */
export function readSince(text: unknown, nowMs: number, faults: Fault[]): number | undefined {
  if (typeof text !== "string") return undefined;
  const [, amount, unit] = AGO.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) return nowMs - Number(amount) * (UNITS_MS[unit] ?? 0);
  // a date alone means midnight UTC
  if (["date-time", "date"].some((name) => findFormat(name)?.accepts(text))) return Date.parse(text);
  const expected = "a time such as 2026-01-31T08:00:00Z, a date, or how long ago: 30m, 2h, 1d";
  faults.push({ where: "--since", message: `received ${JSON.stringify(text)}; expected ${expected}` });
  return undefined;
}
