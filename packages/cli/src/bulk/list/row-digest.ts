/** Identifies a row by what it says: its operation and its fields, whatever file, order or spelling they come in. */
import { createHash } from "node:crypto";
import type { RowBody } from "../bulk-job.ts";

/** 128 bits: no two rows of any list have the same by chance. */
const DIGEST_DIGITS = 32;

export function digestRow(operationId: string, body: RowBody): string {
  const text = `${operationId} ${canonicalJson(body)}`;
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_DIGITS);
}

function canonicalJson(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const texts = members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${texts.sort().join(",")}}`;
}
