// The values a command takes: one flat list from an operation's parameters and the fields of its body.
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

/** The global flags of msgctl, and the words that commander reserves. No field may have these names. */
const RESERVED = [
  "profile",
  "base-url",
  "output",
  "columns",
  "query",
  "out",
  "body-file",
  "set",
  "dry-run",
  "curl",
  "idempotency-key",
  "timeout",
  "retries",
  "verbose",
  "quiet",
  "color",
  "no-color",
  "show-secrets",
  "input",
  "no-input",
  "yes",
  "help",
  "version",
];

/** One value, as packages/cli/src/model/record.ts declares it. */
export interface CliInput extends Constraints {
  name: string;
  in: "path" | "query" | "header" | "body";
  path: string[];
  type: string;
  description: string;
  required?: true;
  positional?: true;
  repeatable?: true;
  secret?: true;
  minItems?: number;
  maxItems?: number;
  default?: string | number | boolean;
  example?: string;
  /** The format, which depends on the value of another input. */
  formatBy?: { input: string; formats: Record<string, string> };
}

interface Constraints {
  format?: string;
  enum?: string[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

type Schemas = Pick<Contract, "schemas">;

/** Positional arguments first, in the order of `args`; then flags in document order. */
export function inputsOf(contract: Schemas, operation: Operation): CliInput[] {
  const all = [...parameterInputs(contract, operation), ...bodyInputs(contract, operation)];
  const wanted = operation.command.args.map(kebab);
  const positional = wanted.flatMap((name) => all.filter((input) => input.name === name));
  const flags = all.filter((input) => !positional.includes(input));
  const inputs = [...positional.map((input): CliInput => ({ ...input, positional: true })), ...flags];
  checkNames(operation, inputs);
  return inputs;
}

/** Alternative sets of fields, one of which must be given: `anyOf: [{ required: [a] }, { required: [b] }]` of the body. */
export function alternativesOf(contract: Schemas, { body }: Operation): string[][] {
  if (body === undefined) return [];
  const sets = resolve(contract, body.schema).anyOf ?? [];
  return sets.flatMap(({ required }) => (required === undefined ? [] : [required.map(kebab)]));
}

/** `merchantId` and `Merchant-Id` as a flag's name: `merchant-id`. */
export function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .toLowerCase();
}

function parameterInputs(contract: Schemas, { parameters }: Operation): CliInput[] {
  return parameters
    .filter(({ name }) => name !== IDEMPOTENCY_HEADER)
    .map((parameter) => ({
      ...inputOf(contract, parameter.schema, [parameter.name], parameter.required),
      in: parameter.in,
      description: parameter.description,
    }));
}

function bodyInputs(contract: Schemas, operation: Operation): CliInput[] {
  if (operation.body === undefined) return [];
  const inputs = fieldInputs(contract, operation.body.schema, [], true);
  // the runtime sets the header itself; a field of the body with the same name would duplicate it
  return isIdempotent(operation) ? inputs.filter(({ name }) => name !== kebab(IDEMPOTENCY_HEADER)) : inputs;
}

function fieldInputs(contract: Schemas, schema: Schema, path: string[], isRequired: boolean): CliInput[] {
  const { properties = {}, required = [] } = resolve(contract, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const fieldPath = [...path, name];
    const fieldRequired = isRequired && required.includes(name);
    const { type, properties: nested } = concrete(contract, property);
    if (type === "object" && nested !== undefined) return fieldInputs(contract, property, fieldPath, fieldRequired);
    return [inputOf(contract, property, fieldPath, fieldRequired)];
  });
}

function inputOf(contract: Schemas, schema: Schema, path: string[], isRequired: boolean): CliInput {
  const field = concrete(contract, schema);
  const items = field.type === "array" ? concrete(contract, field.items ?? {}) : undefined;
  const value = items ?? field;
  const example = [...(schema.examples ?? []), ...(value.examples ?? [])].find(isScalar);
  return {
    name: kebab(path.join("-")),
    in: "body",
    path,
    type: valueType(contract, value),
    description: schema.description ?? field.description ?? "",
    ...(isRequired && { required: true }),
    ...(items && { repeatable: true, ...only(field, ["minItems", "maxItems"]) }),
    ...((field["x-secret"] || value["x-secret"]) && { secret: true }),
    ...only(value, ["format", "pattern", "minLength", "maxLength", "minimum", "maximum"]),
    ...(value.enum && { enum: value.enum.map(String) }),
    ...(isScalar(field.default) && { default: field.default }),
    ...(example !== undefined && { example: String(example) }),
    ...formatByOf(field, path),
  };
}

function formatByOf({ "x-format-by": by }: Schema, path: readonly string[]): Pick<CliInput, "formatBy"> {
  if (by === undefined) return {};
  return { formatBy: { input: kebab([...path.slice(0, -1), by.field].join("-")), formats: by.formats } };
}

/** The schema after references are resolved and `null` is removed from its alternatives. */
function concrete(contract: Schemas, schema: Schema): Schema {
  const target = resolve(contract, schema);
  const others = alternatives(target).filter(({ type }) => type !== "null");
  const [only] = others;
  return only !== undefined && others.length === 1 ? { ...target, ...concrete(contract, only) } : target;
}

function valueType(contract: Schemas, schema: Schema): string {
  const types = [schema, ...alternatives(schema).map((part) => concrete(contract, part))]
    .flatMap(({ type }) => type ?? [])
    .filter((type) => type !== "null");
  if (types.includes("string")) return types.includes("integer") ? "integer-or-string" : "string";
  const [type] = types;
  return type === "integer" || type === "number" || type === "boolean" ? type : "json";
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function only<Key extends keyof Schema>(schema: Schema, keys: Key[]): Pick<Schema, Key> {
  return Object.fromEntries(keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]])) as Pick<
    Schema,
    Key
  >;
}

function checkNames({ operationId, line }: Operation, inputs: readonly CliInput[]): void {
  const faults = inputs.flatMap((input, index) => {
    const first = inputs.findIndex(({ name }) => name === input.name);
    if (first !== index) return [`${operationId}: ${input.in} and ${inputs[first]?.in} both give --${input.name}.`];
    if (!input.positional && RESERVED.includes(input.name)) {
      return [`${operationId}: --${input.name} is a flag of every command; give the field another name.`];
    }
    if (input.positional && input.secret) return [`${operationId}: <${input.name}> is a secret and cannot be in args.`];
    return [];
  });
  if (faults.length === 0) return;
  throw new GenerationError(
    "openapi.yaml",
    faults.map((message) => ({ position: { line, column: 1 }, message })),
  );
}
