// Reads a command's JSON document. Faults name their JSON pointers and quote no secrets.

import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { DocumentFault } from "../domain/document-checks.ts";
import { addFormats } from "../http/validation/ajv.ts";
import { describeFault } from "../http/validation/faults.ts";

const MOST_SHOWN = 50;
const STANDARD_INPUT = 0;

/** Reads and parses a file, or standard input for `-`. Throws for invalid UTF-8, which Node would replace by U+FFFD. */
export function readJsonFile(file: string): unknown {
  const bytes = readBytes(file);
  if (!isUtf8(bytes)) throw new Error(`cannot read ${file}: it is not UTF-8`);
  return parseJson(bytes.toString("utf8"));
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file === "-" ? STANDARD_INPUT : file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const reason = { ENOENT: "there is no such file", EISDIR: "it is a folder", EACCES: "no permission to read it" };
    throw new Error(`cannot read ${file}: ${reason[code as keyof typeof reason] ?? String(code)}`, { cause: error });
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // V8 quotes the text around the fault, which may be a password: report only the position
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    if (position === undefined) throw new Error("the file is not JSON: it ends early, or is another kind of file");
    const lines = text.slice(0, Number(position)).split("\n");
    throw new Error(`the file is not JSON: fault at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`);
  }
}

/** Finds the faults of a document according to its schema. */
export function findShapeFaults(document: unknown, schema: object): DocumentFault[] {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
  });
  addFormats(ajv);
  const validate = ajv.compile(schema);
  return validate(document) ? [] : (validate.errors ?? []).map((error) => describeFault(error, ""));
}

/**
 * If there are faults, throws an error with a line for the first fault of each JSON pointer. `undone` says what was not
 * done, such as `nothing was imported`.
 */
export function requireFaultless(faults: readonly DocumentFault[], undone: string): void {
  const first = new Map(faults.toReversed().map(({ pointer, detail }) => [pointer, detail]));
  if (first.size === 0) return;
  const all = [...first].toReversed();
  const count = all.length === 1 ? "1 fault" : `${all.length} faults`;
  const lines = all.slice(0, MOST_SHOWN).map(([pointer, detail]) => `${pointer || "/"}: ${detail}`);
  if (all.length > MOST_SHOWN) lines.push(`and ${all.length - MOST_SHOWN} more`);
  throw new Error([`the file has ${count}, and ${undone}:`, ...lines].join("\n"));
}
