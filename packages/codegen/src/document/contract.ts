import type { ApiDocument, Contract, Tag } from "../model.ts";
import { readBounds } from "./bounds.ts";
import { checkCommands } from "./commands.ts";
import { gather } from "./gathered.ts";
import { readCallbacks, readOperations, readPlainOperations } from "./operations.ts";
import { readProblems } from "./problems.ts";
import { checkReferences } from "./references.ts";
import { readSchemas } from "./schemas.ts";
import { type Entry, isRecord, Source } from "./source.ts";

/**
 * Reads an OpenAPI document strictly: anything that the generator would have to guess is a fault. Throws a GenerationError
 * that lists all faults. Checks references and schemas first, as everything else depends on them.
 *
 * @param file the document's name in messages
 */
export function readContract(text: string, file: string): Contract {
  return readSource(new Source(text, file));
}

function readSource(source: Source): Contract {
  const { root } = source;
  checkReferences(root);
  const schemas = readSchemas(root);
  source.throwFaults();

  const tags = root.at("tags").items().map(readTag);
  const problemPages = root.at("x-problem-pages").text();
  const problems = readProblems(root, problemPages);
  const bulkConcurrency = readBounds(root.at("x-bulk-concurrency"));
  const contract: Contract = {
    title: root.at("info").at("title").text(),
    version: root.at("info").at("version").text(),
    summary: root.at("info").at("summary").optionalText() ?? "",
    description: root.at("info").at("description").optionalText() ?? "",
    server: readServer(root.at("servers")),
    operations: readOperations(root, { schemas, problems, tags }),
    callbacks: readCallbacks(root, { schemas, problems, tags }),
    schemas,
    ownSchemas: Object.keys(schemas),
    problems,
    problemPages,
    tags,
    ...(bulkConcurrency && { bulkConcurrency }),
    document: isRecord(root.value) ? root.value : {},
  };
  checkCommands(root, contract);
  source.throwFaults();
  return contract;
}

/**
 * Reads the document of an API that extends the contract, just as strictly. It has no commands, uses the contract's problem
 * codes, and may refer to the contract's components.
 *
 * @param contract the contract's text, and its name in references
 */
export function readBeside(text: string, file: string, contract: { text: string; name: string }): ApiDocument {
  const contractSource = new Source(contract.text, contract.name);
  const { schemas: known, problems } = readSource(contractSource);
  const source = new Source(text, file, new Map([[contract.name, contractSource]]));
  const { root } = source;
  checkReferences(root);
  const own = readSchemas(root);
  for (const schema of root.at("components").at("schemas").entries()) {
    if (Object.hasOwn(known, schema.key))
      schema.fault(`${schema.key} is already a schema of ${contract.name}: refer to that schema.`);
  }
  source.throwFaults();

  const tags = root.at("tags").items().map(readTag);
  const schemas = { ...known, ...own };
  const document: ApiDocument = {
    title: root.at("info").at("title").text(),
    version: root.at("info").at("version").text(),
    operations: readPlainOperations(root, { schemas, problems, tags }),
    callbacks: readCallbacks(root, { schemas, problems, tags }),
    schemas,
    ownSchemas: Object.keys(own),
    tags,
    document: gather(root),
  };
  source.throwFaults();
  return document;
}

/** Reads the document of a protocol of its own, as strictly, for its types and schemas: it shares nothing with the contract. */
export function readApart(text: string, file: string): ApiDocument {
  const source = new Source(text, file);
  const { root } = source;
  checkReferences(root);
  const schemas = readSchemas(root);
  const info = root.at("info");
  const document: ApiDocument = {
    title: info.at("title").text(),
    version: info.at("version").text(),
    operations: [],
    callbacks: [],
    schemas,
    ownSchemas: Object.keys(schemas),
    tags: root.at("tags").items().map(readTag),
    document: isRecord(root.value) ? root.value : {},
  };
  source.throwFaults();
  return document;
}

/** Returns the contract with the callbacks of a document that extends it, for pages that describe all of them. */
export function withCallbacks(contract: Contract, { callbacks, schemas }: ApiDocument): Contract {
  return {
    ...contract,
    callbacks: [...contract.callbacks, ...callbacks],
    schemas: { ...contract.schemas, ...schemas },
  };
}

function readTag(entry: Entry): Tag {
  return { name: entry.at("name").text(), description: entry.at("description").text() };
}

/** The URL of the first server, with the defaults of its variables; empty when there is none. */
function readServer(servers: Entry): string {
  const [first] = servers.items();
  const url = first?.at("url").text() ?? "";
  return url.replaceAll(/\{(\w+)\}/g, (_, name: string) => first?.at("variables").at(name).at("default").text() ?? "");
}
