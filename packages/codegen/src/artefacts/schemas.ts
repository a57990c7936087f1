// One set of JSON Schemas for both of the server's compilers: Ajv (requests) and fast-json-stringify (replies).
import type { Artefact } from "../artefact.ts";
import { type ApiDocument, type ApiOperation, referencedName, resolve, type Schema } from "../model.ts";
import { literal } from "./literal.ts";

/** The keywords that affect validation or serialization. All others are documentation. */
const KEYWORDS = [
  ...["type", "format", "enum", "const", "default", "pattern", "minLength", "maxLength"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minItems", "maxItems", "uniqueItems", "required", "minProperties", "maxProperties"],
] as const;

export const artefact: Artefact = {
  path: "packages/contract/src/generated/schemas.ts",
  render: (contract) => renderSchemas(contract, "../operation-types.ts"),
};

/** @param idsFrom the module that exports the type `OperationId` */
export function renderSchemas(document: ApiDocument, idsFrom: string): string {
  const parameters = document.operations.map((operation) => [operation.operationId, parametersOf(document, operation)]);
  return [
    `import type { OperationId } from "${idsFrom}";`,
    "",
    renderComponents(document),
    "/** Path and query values of each operation as object schemas; neither where any value is taken. */",
    constant("parameterSchemas: Record<OperationId, { path?: object; query?: object }>", parameters),
    "",
  ].join("\n");
}

export function renderComponents(document: ApiDocument): string {
  const components = document.ownSchemas.map((name) => [
    name,
    { $id: name, ...compact(document, document.schemas[name] ?? {}) },
  ]);
  return [
    "/** Each component as JSON Schema with its name as `$id`; references have the form `MerchantView#`. */",
    constant("schemas", components),
    "",
  ].join("\n");
}

function constant(name: string, entries: unknown[][]): string {
  return `export const ${name} = ${literal(Object.fromEntries(entries))};`;
}

/** An operation that cannot answer `validation_error` accepts any path and query. */
function parametersOf(document: ApiDocument, { parameters, errors }: ApiOperation) {
  if (!errors.some(({ codes }) => codes.includes("validation_error"))) return {};
  const objectOf = (place: "path" | "query") => {
    const own = parameters.filter((parameter) => parameter.in === place);
    return {
      type: "object",
      properties: Object.fromEntries(own.map(({ name, schema }) => [name, compact(document, schema)])),
      required: own.filter(({ required }) => required).map(({ name }) => name),
      additionalProperties: false,
    };
  };
  const hasPath = parameters.some((parameter) => parameter.in === "path");
  return { ...(hasPath && { path: objectOf("path") }), query: objectOf("query") };
}

/** The schema without descriptions, with references in Fastify's form and open enums as plain strings. */
function compact(document: ApiDocument, schema: Schema): Record<string, unknown> {
  const open = openEnum(document, schema);
  if (open !== undefined) return open;
  const name = referencedName(schema);
  const each = (list: Schema[]) => list.map((item) => compact(document, item));
  return {
    ...(name !== undefined && { $ref: `${name}#` }),
    ...Object.fromEntries(KEYWORDS.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]])),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([key, property]) => [key, compact(document, property)]),
      ),
    }),
    ...(schema.items && { items: compact(document, schema.items) }),
    ...(schema.additionalProperties !== undefined && {
      additionalProperties:
        typeof schema.additionalProperties === "boolean"
          ? schema.additionalProperties
          : compact(document, schema.additionalProperties),
    }),
    ...(schema.anyOf && { anyOf: each(schema.anyOf) }),
    ...(schema.oneOf && { oneOf: each(schema.oneOf) }),
    ...(schema.allOf && { allOf: each(schema.allOf) }),
  };
}

/**
 * Reduces an open enum, which is `anyOf` an enum and any string (or null), to the string. The string accepts all values
 * of the enum, unless its maximum length is too short for them. fast-json-stringify writes it directly; for an `anyOf`
 * it would run a validator per value.
 */
function openEnum(document: ApiDocument, { anyOf = [] }: Schema): Record<string, unknown> | undefined {
  const [closed, open, ...more] = anyOf;
  if (closed === undefined || open === undefined || more.length > 0) return undefined;
  const rest = compact(document, open);
  const { type, maxLength = Number.POSITIVE_INFINITY, ...narrower } = rest;
  if (Object.keys(narrower).length > 0 || ![type].flat().includes("string")) return undefined;
  return resolve(document, closed).enum?.every((value) => String(value).length <= Number(maxLength)) ? rest : undefined;
}
