// The call records that FreeSWITCH's mod_json_cdr leaves in a folder, a file for each call: they tell how calls ended while
// nobody listened.

import { open } from "node:fs/promises";
import { join } from "node:path";
import type { CallReport } from "../provider.ts";
import { readEnd } from "./call-ends.ts";

const LARGEST_BYTES = 2 ** 20;
/** With `prefix-a-leg`, and without. */
const prefixes = ["", "a_"];

/** How the call ended; undefined if there is no record of it, or none that can be read yet. */
export async function readCallRecord(
  folder: string,
  callId: string,
): Promise<(CallReport & { stage: "ENDED" }) | undefined> {
  for (const prefix of prefixes) {
    const text = await readStart(join(folder, `${prefix}${callId}.cdr.json`));
    const variables = text === undefined ? undefined : readVariables(text);
    if (variables !== undefined) return readEnd((name) => toText(variables[name]));
  }
  return undefined;
}

async function readStart(path: string): Promise<string | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LARGEST_BYTES), 0, LARGEST_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Undefined while the file is being written. */
function readVariables(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { variables } = JSON.parse(text) as { variables?: unknown };
    return typeof variables === "object" && variables !== null ? (variables as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
