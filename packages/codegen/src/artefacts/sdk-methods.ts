// One class for each group of operations, one short method for each operation, and the client that holds them. The SDK's
// hand-written code makes the calls; a method only names the HTTP method, the path, and the input and output types.
import type { Artefact } from "../artefact.ts";
import type { Contract, Operation } from "../model.ts";
import { literal } from "./literal.ts";
import { acceptOf, argumentsOf, dataTypeOf, identityOf, isJson, parametersIn } from "./sdk-arguments.ts";
import { documentation } from "./sdk-documentation.ts";
import { camelCase, comment, pascalCase, wrap } from "./sdk-words.ts";

export const artefact: Artefact = {
  path: "packages/sdk/src/generated/resources.ts",
  render(contract) {
    const groups = groupsOf(contract);
    const classes = [...groups].flatMap(([group, operations]) => resourceClass(contract, group, operations));
    return [...imports(contract), ...classes, ...clientClass(contract, groups), ""].join("\n");
  },
};

/** Operations by group, both in document order. */
function groupsOf({ operations }: Contract): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.command.group) ?? [];
    groups.set(operation.command.group, [...group, operation]);
  }
  return groups;
}

function imports(contract: Contract): string[] {
  const used = contract.operations.flatMap((operation) => [
    ...argumentsOf(contract, operation).map(({ type }) => type.replace("<E>", "")),
    dataTypeOf(operation).replace("[]", ""),
  ]);
  const importOf = (from: string, isFrom: (type: string) => boolean) => {
    const names = [...new Set(used.filter(isFrom))].sort();
    if (names.length === 0) return [];
    const line = `import type { ${names.join(", ")} } from "${from}";`;
    return line.length <= 120 ? [line] : ["import type {", ...names.map((name) => `  ${name},`), `} from "${from}";`];
  };
  const isOption = (type: string) => type === "CallOptions" || type === "WriteOptions";
  const isWord = (type: string) => ["string", "undefined", "unknown", "PathValue"].includes(type);
  return [
    'import type { ApiCall } from "../api-call.ts";',
    'import { CoreClient, withIdentities } from "../core-client.ts";',
    ...(contract.operations.some(isJson) ? ['import type { ReplyData } from "../exact-integers.ts";'] : []),
    ...importOf("../options.ts", isOption),
    ...importOf("../path-values.ts", (type) => type === "PathValue"),
    ...importOf("./types.ts", (type) => !isOption(type) && !isWord(type)),
  ];
}

function resourceClass(contract: Contract, group: string, operations: readonly Operation[]): string[] {
  return [
    "",
    ...comment(wrap(tagOf(contract, operations))),
    `export class ${pascalCase(group)}Resource {`,
    "  readonly #client: CoreClient;",
    "",
    "  constructor(client: CoreClient) {",
    `    this.#client = withIdentities(client, ${literal(identitiesOf(operations), "    ")});`,
    "  }",
    ...operations.flatMap((operation) => method(contract, operation)),
    "}",
  ];
}

/** Identities by method and path. */
function identitiesOf(operations: readonly Operation[]): Record<string, unknown> {
  return Object.fromEntries(
    operations.map((operation) => [`${operation.method} ${operation.path}`, identityOf(operation)]),
  );
}

function method(contract: Contract, operation: Operation): string[] {
  const args = argumentsOf(contract, operation);
  const signature = args.map(({ name, type, isRequired }) => `${name}${isRequired ? "" : "?"}: ${type}`);
  const pathNames = parametersIn("path", operation).map(({ name }) => name);
  const accept = acceptOf(operation);
  const sent = [
    ...(pathNames.length > 0 ? [`path: { ${pathNames.join(", ")} }`] : []),
    ...["body", "query"].filter((part) => args.some(({ name }) => name === part)),
    ...(accept === undefined ? [] : [`accept: "${accept}"`]),
  ];
  const name = camelCase(operation.command.name) + (isJson(operation) ? "<E extends boolean = false>" : "");
  const dataType = isJson(operation) ? `ReplyData<${dataTypeOf(operation)}, E>` : dataTypeOf(operation);
  const values = sent.length > 0 ? `{ ${sent.join(", ")} }` : "{}";
  return [
    "",
    ...comment(documentation(contract, operation, args), "  "),
    ...head(`  ${name}(`, signature, `): ApiCall<${dataType}> {`),
    `    return this.#client.request("${operation.method}", "${operation.path}", ${values}, options);`,
    "  }",
  ];
}

/** The head of a method, on one line if it fits. */
function head(start: string, args: readonly string[], end: string): string[] {
  const line = `${start}${args.join(", ")}${end}`;
  return line.length <= 120 ? [line] : [start, ...args.map((arg) => `    ${arg},`), `  ${end}`];
}

function clientClass(contract: Contract, groups: ReadonlyMap<string, readonly Operation[]>): string[] {
  const fields = [...groups].flatMap(([group, operations]) => [
    ...comment(wrap(tagOf(contract, operations)), "  "),
    `  readonly ${camelCase(group)} = new ${pascalCase(group)}Resource(this);`,
  ]);
  return [
    "",
    "/** A client with every operation. */",
    "export class ResourceClient extends CoreClient {",
    ...fields,
    "}",
  ];
}

/** The description of the tag of a group's operations. */
function tagOf({ tags }: Contract, [first]: readonly Operation[]): string {
  return tags.find(({ name }) => name === first?.tag)?.description ?? "";
}
