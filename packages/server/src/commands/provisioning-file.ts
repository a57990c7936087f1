// Parses a provisioning file: JSON of the shape of getVoiceProvisioning's reply, checked against that shape and every
// rule beyond it. Errors repeat nothing of its content except what a fault is about.

import { schemas } from "@msgctl/contract/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describeFault } from "../http/validation/faults.ts";
import { addFormats } from "../http/validation/formats.ts";
import type { ProvisioningView } from "../operations/provisioning.ts";
import { findProvisioningFaults } from "../rules/provisioning-document.ts";

const SHAPE = "V1VoiceProvisioningResponse";
const MOST_SHOWN = 50;

/** Parses the document. Throws an error with a line for each fault, at its JSON pointer. */
export function parseProvisioningFile(text: string, tenantId: number): ProvisioningView {
  const document = parseJson(text);
  const faults = new Map<string, string>();
  for (const { pointer, detail } of findShapeFaults(document)) faults.set(pointer, detail);
  for (const { pointer, detail } of findProvisioningFaults(document, tenantId)) {
    if (!faults.has(pointer)) faults.set(pointer, detail);
  }
  if (faults.size > 0) throw new Error(describeFaults([...faults]));
  return document as ProvisioningView;
}

function describeFaults(faults: readonly (readonly [pointer: string, detail: string])[]): string {
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  const lines = faults.slice(0, MOST_SHOWN).map(([pointer, detail]) => `${pointer || "/"}: ${detail}`);
  if (faults.length > MOST_SHOWN) lines.push(`and ${faults.length - MOST_SHOWN} more`);
  return [`the file has ${count}, and nothing was imported:`, ...lines].join("\n");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // V8 quotes the text around the fault, which may be a password: report only the position
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    if (position === undefined) throw new Error("the file is not JSON: it ends early, or holds something else");
    const lines = text.slice(0, Number(position)).split("\n");
    throw new Error(`the file is not JSON: fault at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`);
  }
}

function findShapeFaults(document: unknown): { pointer: string; detail: string }[] {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    validateSchema: false,
  });
  addFormats(ajv);
  const validate = ajv.compile(closed(schemas[SHAPE]) as object);
  return validate(document) ? [] : (validate.errors ?? []).map((error) => describeFault(error, ""));
}

/** Closes the schema to additional fields: in a reply they are extensions, in a file they are typos. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return "properties" in members ? { ...members, additionalProperties: false } : members;
}
