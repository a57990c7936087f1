import { type Entry, isRecord } from "./source.ts";

/** Reports every `$ref` that is dangling, circular, or outside the document. */
export function checkReferences(entry: Entry): void {
  const { value } = entry;
  if (Array.isArray(value)) for (const item of entry.items()) checkReferences(item);
  if (!isRecord(value)) return;
  if (typeof value.$ref === "string" && entry.resolve() === entry) {
    entry.at("$ref").fault(`$ref ${value.$ref} leads nowhere. Define it in this document, as #/components/….`);
  }
  for (const child of entry.entries()) checkReferences(child);
}
