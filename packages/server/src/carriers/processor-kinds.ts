// The kinds of payment processors that can be set for tenants. To add a kind, add a folder beside this file and a line here.

import { type DocumentFault, objectOf } from "../domain/document-checks.ts";
import { withLibraries } from "./libraries.ts";
import type {
  OpenProcessor,
  ProcessorKind,
  ProcessorSettings,
  ProcessorSurroundings,
  ProcessorTest,
} from "./processor-kind.ts";
import { stripeKind } from "./stripe/kind.ts";

export const processorKinds: readonly ProcessorKind[] = [stripeKind];

/** Returns the kind of a processor's settings. Throws if this version does not know the kind. */
export function requireProcessorKind({ kind: name }: ProcessorSettings): ProcessorKind {
  const kind = processorKinds.find((one) => one.name === name);
  if (kind === undefined) throw new Error(`this version of msgd has no processors of the kind ${JSON.stringify(name)}`);
  return kind;
}

/** Opens a processor. Throws `LibraryMissing` if a library is not installed. */
export function openProcessor(
  settings: ProcessorSettings,
  surroundings: ProcessorSurroundings,
): Promise<OpenProcessor> {
  const kind = requireProcessorKind(settings);
  return withLibraries(kind.libraries, () => kind.open(settings, surroundings));
}

/** Reports a fault if the document's `kind` is not known. */
export function findProcessorKindFault(document: unknown): DocumentFault | undefined {
  const given = objectOf(document, "").fields.kind;
  if (processorKinds.some(({ name }) => name === given)) return undefined;
  const allowed = processorKinds.map(({ name }) => `"${name}"`).join(" or ");
  const received = given === undefined ? "none" : JSON.stringify(given);
  return { pointer: "/kind", detail: `expected ${allowed}, received ${received}` };
}

/** Tests a processor without charging anything. Throws `LibraryMissing` if a library is not installed. */
export function testProcessor(settings: ProcessorSettings, test: ProcessorTest): Promise<string[]> {
  const kind = requireProcessorKind(settings);
  return withLibraries(kind.libraries, () => kind.test(settings, test));
}

/** Returns the JSON Schema of a kind's documents. */
export function processorSchemaOf({ name, schema }: ProcessorKind): object {
  return {
    type: "object",
    additionalProperties: false,
    required: ["kind", ...schema.required],
    properties: { kind: { const: name }, ...schema.properties },
  };
}

/** Returns the settings without secrets. A secret is shown as "set"; of an unknown kind, only the kind is shown. */
export function withoutProcessorSecrets(settings: ProcessorSettings): object {
  const kind = processorKinds.find(({ name }) => name === settings.kind);
  if (kind === undefined) return { kind: settings.kind };
  const shown = Object.entries(settings).map(([name, value]) => [name, kind.secrets.includes(name) ? "set" : value]);
  return Object.fromEntries(shown);
}
