// Request and response types of each operation, by operationId. Types only: nothing of this file exists at run time.
import type { operations as operationTable } from "./generated/operations.ts";
import type { components, operations as Signatures } from "./generated/types.ts";

/** Name of an operation: a key of the operation table, of the server's handlers, and of the types below. */
export type OperationId = keyof typeof operationTable;

/** Every component schema by its name: `Schemas["MerchantView"]`. */
export type Schemas = components["schemas"];

/** RFC 9457 problem, the body of every refusal. */
export type Problem = Schemas["Problem"];

/** Values of the path, by name; an empty object if the path has none. */
export type PathOf<K extends OperationId> = PathIn<Signatures[K]>;

/** Values of the query, by name; an empty object if the operation has none. */
export type QueryOf<K extends OperationId> = QueryIn<Signatures[K]>;

/** The JSON request body; undefined if the operation takes none. */
export type BodyOf<K extends OperationId> = BodyIn<Signatures[K]>;

/** The data of a success: the JSON view, the text of an XML reply, or undefined for a reply without a body. */
export type ResponseOf<K extends OperationId> = ResponseIn<Signatures[K]>;

/** The problem codes the operation can answer with. */
export type ErrorCodeOf<K extends OperationId> = CodeIn<(typeof operationTable)[K]["errors"]>;

/**
 * An operation of any document, as openapi-typescript declares it. `PathIn`, `QueryIn`, `BodyIn` and `ResponseIn` correspond
 * to `PathOf`, `QueryOf`, `BodyOf` and `ResponseOf`.
 */
export interface Signature {
  parameters: { path?: unknown; query?: unknown };
  responses: unknown;
}
export type PathIn<S extends Signature> = ValuesOf<S["parameters"]["path"]>;
export type QueryIn<S extends Signature> = ValuesOf<S["parameters"]["query"]>;
export type BodyIn<S extends Signature> = S extends { requestBody: Content<infer Body> } ? Body : undefined;
export type ResponseIn<S extends Signature> = S["responses"] extends { 200: Content<infer View> } ? View : undefined;

type Content<Body> = { content: Record<string, Body> };
type ValuesOf<Values> = [Values] extends [undefined] ? Record<never, never> : NonNullable<Values>;
type CodeIn<Errors> = Errors[keyof Errors] extends infer Codes
  ? Codes extends readonly (infer Code)[]
    ? Code
    : never
  : never;
