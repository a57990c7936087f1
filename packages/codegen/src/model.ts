/**
 * The generator's model of the contract, as document/ returns it after reading and checking. Artefacts render from these
 * types and never read YAML. Every list is in document order, so that output is the same on every run.
 */

/** The content of an OpenAPI document: of the contract, or of an API that extends it. */
export interface ApiDocument {
  title: string;
  version: string;
  /** Operations in document order. */
  operations: ApiOperation[];
  callbacks: Callback[];
  /** Every schema that the document may refer to, by name: the contract's schemas, then its own. */
  schemas: Record<string, Schema>;
  /** The names of its own schemas, in document order. */
  ownSchemas: string[];
  tags: Tag[];
  /** The document itself, without references to other documents, for tools that read OpenAPI (openapi-typescript). */
  document: Record<string, unknown>;
}

export interface Contract extends ApiDocument {
  /** One sentence. */
  summary: string;
  /** Rules for all operations, in Markdown. */
  description: string;
  /** URL of the first server, with its variables' defaults. */
  server: string;
  operations: Operation[];
  /** One entry for each problem code, in the order of the `ProblemCode` enum. */
  problems: Problem[];
  /** The path of the pages about problem codes; the code follows. */
  problemPages: string;
  /** Number of calls that a client has in flight when it makes one for each row. */
  bulkConcurrency?: Bounds;
}

/** The default and the bounds of a configurable whole number. */
export interface Bounds {
  default?: number;
  minimum?: number;
  maximum?: number;
}

export interface Tag {
  name: string;
  description: string;
}

export type HttpMethod = "GET" | "PUT" | "POST" | "DELETE" | "PATCH";

export interface ApiOperation {
  operationId: string;
  method: HttpMethod;
  /** Path as in the document, with `{placeholders}`. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** Path, query and header parameters, except for credentials, with references resolved. */
  parameters: Parameter[];
  body?: RequestBody;
  /** Whether it accepts its credential as HTTP Basic too. */
  takesBasic: boolean;
  success: Success;
  /** Error statuses in ascending order, each with the problem codes that the operation can answer with that status. */
  errors: ErrorStatus[];
  /** Line of the operation in the document, for messages. */
  line: number;
}

/** An operation of the contract, which is a command too. */
export interface Operation extends ApiOperation {
  command: Command;
}

/** A webhook of the document, which the service posts to a client's URL. */
export interface Callback extends Pick<ApiOperation, "summary" | "description" | "parameters"> {
  /** Its name in the document, and its body's `type`. */
  type: string;
  body: RequestBody;
}

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description: string;
  /** Schema with the parameter's example, if any, as its first. */
  schema: Schema;
  /** Number of days for which the service remembers a value. */
  keptDays?: Bounds;
}

export interface RequestBody {
  /** Name of the component schema; a request body is always a `$ref`. */
  schemaName: string;
  /** That component. */
  schema: Schema;
  required: boolean;
  examples: Example[];
}

/** The one success an operation declares. A 204 has neither media type nor schema. */
export interface Success {
  status: number;
  description: string;
  mediaType?: string;
  /** Name of the component schema of the view, or of the elements when `isArray`. Absent for text such as XML. */
  schemaName?: string;
  isArray: boolean;
  /** The schema as in the response: `{ $ref }`, `{ type: "array", items: { $ref } }` or an inline one. */
  schema?: Schema;
  examples: Example[];
  headers: HeaderExamples;
}

/** Names of a reply's headers, each with its first example as on the wire. */
export type HeaderExamples = Record<string, string>;

export interface Example {
  name: string;
  summary?: string;
  value: unknown;
}

export interface ErrorStatus {
  status: number;
  codes: string[];
  headers: HeaderExamples;
}

/** The contents of `x-msgctl`: the same group and name make the terminal command and the SDK method. */
export interface Command {
  group: string;
  name: string;
  aliases: string[];
  /** Path parameters, query parameters or body fields that are positional arguments, in order. */
  args: string[];
  /** Fields of the view shown as table columns; a dot descends into an object (`usage.smsUsed`). */
  columns: string[];
  /** Members that the view, or each view in the list, has in every success; for XML, its root element. */
  identity: string[];
  cost?: "billable" | "irreversible";
  wait?: Wait;
  complete: FieldSource[];
  fill: FieldSource[];
}

/** Tells `--wait` how to find out that the work a command started is done. */
export interface Wait {
  /** Operation to poll. */
  operation: string;
  /** Field of this operation's view whose value becomes the path parameter of `operation`. */
  from: string;
  /** Field of the polled view that is watched. */
  field: string;
  /** Values of `field` that end the wait. */
  until: string[];
  /** Values of `until` that mean that some of the work failed. */
  failed: string[];
}

/** Fills in the input `field` from the field of the same name in the reply of `operation`. */
export interface FieldSource {
  operation: string;
  field: string;
}

/** One problem code: everything about it that does not depend on the operation. */
export interface Problem {
  code: string;
  status: number;
  title: string;
  /** The cause of the answer. */
  cause: string;
  /** The remedy. */
  hint: string;
  /** The whole problem in the contract's example. */
  example: Record<string, unknown>;
}

export type SchemaType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** The part of JSON Schema 2020-12 that the contract uses; document/schemas.ts refuses every other keyword. */
export interface Schema {
  /** `#/components/schemas/<Name>`; a reference to another document begins with that document's path. */
  $ref?: string;
  type?: SchemaType | SchemaType[];
  format?: string;
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  examples?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  minProperties?: number;
  maxProperties?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  readOnly?: boolean;
  writeOnly?: boolean;
  deprecated?: boolean;
  /** `name` is that of the root element. */
  xml?: { name?: string };
  /** The value is a credential: masked wherever it would be shown. */
  "x-secret"?: boolean;
  /** The value is a person's phone number or email address, or a list of them: masked for agents. */
  "x-contact"?: boolean;
  /** The format of a value, which depends on the value of another field of the same object. */
  "x-format-by"?: { field: string; formats: Record<string, string> };
}

export const IDEMPOTENCY_HEADER = "Idempotency-Key";

/** Whether the operation takes an Idempotency-Key. */
export function isIdempotent({ parameters }: ApiOperation): boolean {
  return parameters.some((parameter) => parameter.in === "header" && parameter.name === IDEMPOTENCY_HEADER);
}

/** Name of the component that a schema refers to, in this document or another; undefined for an inline schema. */
export function referencedName(schema: Schema): string | undefined {
  return /#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? "")?.[1];
}

/** Follows `$ref` to an inline schema. Keywords beside the `$ref` (a description) override the component's. */
export function resolve(contract: Pick<Contract, "schemas">, schema: Schema): Schema {
  const name = referencedName(schema);
  if (name === undefined) return schema;
  const target = contract.schemas[name];
  if (target === undefined) throw new Error(`The schema ${name} is referred to but not defined.`);
  const { $ref: _, ...beside } = schema;
  return { ...resolve(contract, target), ...beside };
}

/** The alternatives of a schema's `anyOf` or `oneOf`, which the contract uses for nullable references and for open enums. */
export function alternatives(schema: Schema): Schema[] {
  return schema.anyOf ?? schema.oneOf ?? [];
}

/** Whether the schema itself allows `null` (references are not followed). */
export function isNullable(schema: Schema): boolean {
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.includes("null") || alternatives(schema).some(isNullable);
}
