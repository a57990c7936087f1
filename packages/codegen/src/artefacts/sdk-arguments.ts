// The arguments of an SDK method, and its return type: path values first, then body, then query, then options.
import { type Contract, type Operation, type Parameter, resolve, type Schema } from "../model.ts";
import { queryTypeOf } from "./sdk-words.ts";

const JSON_TYPE = "application/json";

export interface Argument {
  name: string;
  /** Type as written in TypeScript. */
  type: string;
  isRequired: boolean;
  description: string;
}

/** Parameters of the path or of the query, in document order. */
export function parametersIn(place: Parameter["in"], { parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === place);
}

/** The method's arguments in their order. */
export function argumentsOf(contract: Contract, operation: Operation): Argument[] {
  const path = parametersIn("path", operation).map(({ name, schema, description }) => ({
    name,
    // Replies contain integer identifiers as decimal strings, so a method accepts integers and such strings.
    type: resolve(contract, schema).type === "integer" ? "PathValue" : "string",
    isRequired: true,
    description,
  }));
  return [...path, ...bodyOf(operation), ...queryOf(operation), optionsOf(operation)];
}

function bodyOf({ body }: Operation): Argument[] {
  if (body === undefined) return [];
  return [{ name: "body", type: body.schemaName, isRequired: body.required, description: fieldsOf(body.schema) }];
}

/** Lists the required and optional fields of a body. Their meaning is documented in the body's type. */
function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const listed = (word: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${word}: ${names.map((name) => `\`${name}\``).join(", ")}.`];
  return [...listed("Required", required), ...listed("Optional", optional)].join(" ");
}

function queryOf(operation: Operation): Argument[] {
  const parameters = parametersIn("query", operation);
  if (parameters.length === 0) return [];
  return [
    {
      name: "query",
      type: queryTypeOf(operation.operationId),
      isRequired: parameters.some(({ required }) => required),
      description: parameters.map(({ name, description }) => `\`${name}\`: ${description}`).join(" "),
    },
  ];
}

/** The type parameter `E` says whether a call asks for exact integers, which determines the type of its result. */
function optionsOf(operation: Operation): Argument {
  const [type, description] =
    operation.method === "POST"
      ? ["WriteOptions", "Idempotency key, signal, time limit, headers."]
      : ["CallOptions", "Signal, time limit, headers."];
  return { name: "options", type: type + (isJson(operation) ? "<E>" : ""), isRequired: false, description };
}

/** Whether the method returns a parsed JSON value. */
export function isJson({ success }: Operation): boolean {
  return success.mediaType === JSON_TYPE;
}

/** Media type the method must ask for, if it is not JSON. */
export function acceptOf({ success }: Operation): string | undefined {
  return success.mediaType === JSON_TYPE ? undefined : success.mediaType;
}

/** The fields that identify the reply: see `Identity` in the SDK. */
export function identityOf({ success, command: { identity } }: Operation) {
  if (success.mediaType === undefined) return null;
  if (success.mediaType !== JSON_TYPE) return identity[0];
  return success.isArray ? [identity] : identity;
}

/** Type of the data a call returns. */
export function dataTypeOf({ success }: Operation): string {
  const { mediaType, schemaName, isArray } = success;
  if (mediaType === undefined) return "undefined";
  if (mediaType !== JSON_TYPE) return "string";
  return `${schemaName ?? "unknown"}${isArray ? "[]" : ""}`;
}
