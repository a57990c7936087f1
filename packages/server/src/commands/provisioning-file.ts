// Checks a provisioning file: JSON of the shape of getVoiceProvisioning's reply, held against that shape and every rule
// beyond it. Errors repeat nothing of its content except what a fault is about.

import { schemas } from "@msgctl/contract/schemas";
import type { ProvisioningView } from "../operations/provisioning.ts";
import { findProvisioningFaults } from "../rules/provisioning-document.ts";
import { findShapeFaults, requireFaultless } from "./json-file.ts";

const SHAPE = "V1VoiceProvisioningResponse";

/** Returns the document. Throws an error with a line for each fault, at its JSON pointer. */
export function requireProvisioning(document: unknown, tenantId: number): ProvisioningView {
  const shape = findShapeFaults(document, closed(schemas[SHAPE]) as object);
  requireFaultless([...shape, ...findProvisioningFaults(document, tenantId)], "nothing was imported");
  return document as ProvisioningView;
}

/** Closes the schema to additional fields: in a reply they are extensions, in a file they are typos. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return "properties" in members ? { ...members, additionalProperties: false } : members;
}
