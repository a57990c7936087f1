// One record for each operation: the data that @msgctl/mcp turns into a tool.
import type { Artefact } from "../artefact.ts";
import { propertiesOf, viewOf } from "../document/views.ts";
import { GenerationError } from "../faults.ts";
import {
  alternatives,
  type Contract,
  IDEMPOTENCY_HEADER,
  isIdempotent,
  type Operation,
  resolve,
  type Schema,
} from "../model.ts";
import { outputOf } from "./cli-output.ts";
import { literal } from "./literal.ts";
import { identityOf, parametersIn } from "./sdk-arguments.ts";

export const artefact: Artefact = {
  path: "packages/mcp/src/generated/tools.ts",
  render(contract) {
    const tools = contract.operations.map((operation) => toolOf(contract, operation));
    return [
      'import type { ToolRecord } from "../tool-record.ts";',
      "",
      "/** Every operation as a tool, in the contract's order. */",
      `export const tools: readonly ToolRecord[] = ${literal(tools)};`,
      "",
    ].join("\n");
  },
};

/** Arguments that tools have beside those of the contract. */
const OWN_ARGUMENTS = ["idempotencyKey", "fields", "filter"];

function toolOf(contract: Contract, operation: Operation) {
  const { command, summary, description, method, path } = operation;
  return {
    name: `${command.group}_${command.name}`.replaceAll("-", "_"),
    group: command.group,
    command: command.name,
    title: summary,
    description,
    method,
    path,
    pathParameters: parametersIn("path", operation).map(({ name }) => name),
    queryParameters: parametersIn("query", operation).map(({ name }) => name),
    idempotent: isIdempotent(operation),
    ...(command.cost && { cost: command.cost }),
    identity: identityOf(operation),
    input: inputOf(contract, operation),
    recipients: contactsOf(contract, operation.body?.schema).filter((name) => !name.includes(".")),
    reply: replyOf(contract, operation),
  };
}

/** One object schema for the path, the query and the body. The service checks the values; here they are described. */
function inputOf(contract: Contract, operation: Operation) {
  const { body, parameters } = operation;
  const placed = [...parametersIn("path", operation), ...parametersIn("query", operation)];
  // an agent never has a credential to give
  const fields = Object.entries(body?.schema.properties ?? {}).filter(
    ([, field]) => !resolve(contract, field)["x-secret"],
  );
  const names = [...placed.map(({ name }) => name), ...fields.map(([name]) => name)];
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined)
    throw clash(operation, `has two values named ${twice}, which would be one argument of a tool`);
  const own = names.find(
    (name) => OWN_ARGUMENTS.includes(name) && !(name === "idempotencyKey" && isIdempotent(operation)),
  );
  if (own !== undefined) throw clash(operation, `has a value named ${own}, which is an argument of every tool`);
  const key = parameters.find(({ name }) => name === IDEMPOTENCY_HEADER);
  const properties = {
    ...Object.fromEntries(
      placed.map(({ name, schema, description }) => [name, described(contract, { ...schema, description })]),
    ),
    ...Object.fromEntries(fields.map(([name, schema]) => [name, described(contract, schema)])),
    ...(key && { idempotencyKey: described(contract, { ...key.schema, description: key.description }) }),
  };
  const required = [...placed.filter((one) => one.required).map(({ name }) => name), ...(body?.schema.required ?? [])];
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function clash({ line, operationId }: Operation, what: string): GenerationError {
  return new GenerationError("openapi.yaml", [{ position: { line, column: 1 }, message: `${operationId} ${what}.` }]);
}

function replyOf(contract: Contract, operation: Operation) {
  const { kind, columns, secrets } = outputOf(contract, operation);
  const view = viewOf(operation, contract);
  if (view === undefined) return { kind };
  return {
    kind,
    // a table's cell may be inside of an object, which is shown whole
    columns: [...new Set(columns.map((column) => column.split(".")[0]))],
    properties: outlined(contract, { properties: propertiesOf(contract, view) }).properties,
    secrets,
    contacts: contactsOf(contract, view),
    texts: pathsOf(contract, view, isFreeText),
  };
}

/** Dotted names of the fields with a person's number or address, including those inside the elements of lists. */
function contactsOf(contract: Contract, schema: Schema | undefined): string[] {
  return schema === undefined ? [] : pathsOf(contract, schema, (field) => field["x-contact"] === true);
}

function pathsOf(contract: Contract, schema: Schema, matches: (field: Schema) => boolean, prefix = ""): string[] {
  return Object.entries(propertiesOf(contract, schema)).flatMap(([name, field]) => {
    const resolved = resolve(contract, field);
    if (matches(resolved)) return [prefix + name];
    const inside = resolved.items === undefined ? resolved : resolve(contract, resolved.items);
    if (matches(inside)) return [prefix + name];
    return pathsOf(contract, inside, matches, `${prefix}${name}.`);
  });
}

/** The length from which a text of a reply can hold sentences. Identifiers, codes and names of things are shorter. */
const SENTENCE_LENGTH = 200;

/** Whether people outside of the service wrote the text: a recipient, a merchant, a provider. */
function isFreeText({ type, format, enum: values, pattern, maxLength = 0, ...marks }: Schema): boolean {
  const isText =
    [type].flat().includes("string") && format === undefined && values === undefined && pattern === undefined;
  return isText && maxLength >= SENTENCE_LENGTH && !marks["x-contact"] && !marks["x-secret"];
}

/** The keywords by which a model finds a valid value for a request: type, limits and meaning. */
const INPUT_KEYWORDS = [
  ...["type", "format", "enum", "default", "pattern", "minLength", "maxLength", "minimum", "maximum"],
  ...["minItems", "maxItems", "description", "additionalProperties", "required"],
];

/** The keywords by which a model reads a reply. Limits are left out, because a masked or cut value may not keep them. */
const REPLY_KEYWORDS = ["type", "description"];

function described(contract: Contract, schema: Schema): Record<string, unknown> {
  return written(contract, schema, INPUT_KEYWORDS);
}

function outlined(contract: Contract, schema: Schema): Record<string, unknown> {
  return written(contract, schema, REPLY_KEYWORDS);
}

/** The schema with these keywords, without credentials, and with every reference replaced by what it refers to. */
function written(contract: Contract, schema: Schema, keywords: readonly string[]): Record<string, unknown> {
  const { properties = {}, items, ...resolved } = resolve(contract, schema);
  const each = (part: Schema) => written(contract, part, keywords);
  const fields = Object.entries(properties).filter(([, field]) => !resolve(contract, field)["x-secret"]);
  const parts = alternatives(resolved);
  return {
    ...Object.fromEntries(Object.entries(resolved).filter(([keyword]) => keywords.includes(keyword))),
    ...(fields.length > 0 && { properties: Object.fromEntries(fields.map(([name, field]) => [name, each(field)])) }),
    ...(items && { items: each(items) }),
    ...(parts.length > 0 && { anyOf: parts.map(each) }),
  };
}
