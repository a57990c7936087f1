import type { Contract, Tag } from "../model.ts";
import { readBounds } from "./bounds.ts";
import { checkCommands } from "./commands.ts";
import { readOperations } from "./operations.ts";
import { readProblems } from "./problems.ts";
import { checkReferences } from "./references.ts";
import { readSchemas } from "./schemas.ts";
import { type Entry, isRecord, Source } from "./source.ts";

/**
 * Reads an OpenAPI document strictly: anything the generator would have to guess is a fault. Throws a GenerationError
 * that lists them all. References and schemas come first, as everything else is read through them.
 *
 * @param file the document's name in faults
 */
export function readContract(text: string, file: string): Contract {
  const source = new Source(text, file);
  const { root } = source;
  checkReferences(root);
  const schemas = readSchemas(root);
  source.throwFaults();

  const tags = root.at("tags").items().map(readTag);
  const problems = readProblems(root);
  const bulkConcurrency = readBounds(root.at("x-bulk-concurrency"));
  const contract: Contract = {
    title: root.at("info").at("title").text(),
    version: root.at("info").at("version").text(),
    operations: readOperations(root, { schemas, problems, tags }),
    schemas,
    problems,
    tags,
    ...(bulkConcurrency && { bulkConcurrency }),
    document: isRecord(root.value) ? root.value : {},
  };
  checkCommands(root, contract);
  source.throwFaults();
  return contract;
}

function readTag(entry: Entry): Tag {
  return { name: entry.at("name").text(), description: entry.at("description").text() };
}
