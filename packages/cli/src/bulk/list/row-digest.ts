/** Digests a row as the SDK does, but synchronously: a list is read several times, and may have a million rows. */
import { createHash } from "node:crypto";
import { canonicalBody, rowText, stringifyJson } from "@msgctl/sdk";
import type { RowBody } from "./row-kind.ts";

/** @param operation - The contract's `operationId`. */
export function digestRow(operation: string, body: RowBody): string {
  const text = rowText(operation, canonicalBody(stringifyJson(body)));
  return createHash("sha256").update(text).digest("hex");
}
