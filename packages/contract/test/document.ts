// The contract as the tests of this folder read it: the parsed document, its references followed, and its validators.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

export type Node = { readonly [key: string]: unknown };

export interface Operation extends Node {
  readonly operationId: string;
  readonly parameters?: readonly Node[];
  readonly requestBody?: Node;
  readonly responses: Readonly<Record<string, Node>>;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** A reply of an operation, with its reference followed. */
export interface Reply {
  readonly route: Route;
  readonly status: number;
  readonly response: Node;
}

export const documentFile = fileURLToPath(new URL("../../../openapi.yaml", import.meta.url));
export const document = parse(readFileSync(documentFile, "utf8")) as Node;

/** A part of the document by its path, as in `at(document, "components", "schemas")`. */
export function at(node: Node, ...keys: string[]): Node {
  return keys.reduce<Node>((part, key) => (part[key] ?? {}) as Node, node);
}

/** The node itself, or the target of its `$ref`. */
export function follow(node: Node): Node {
  if (typeof node.$ref !== "string") return node;
  const [, ...keys] = node.$ref.split("/");
  return follow(at(document, ...keys));
}

export const schemas = at(document, "components", "schemas") as Readonly<Record<string, Node>>;

export const routes: readonly Route[] = Object.entries(at(document, "paths")).flatMap(([path, item]) =>
  Object.entries(item as Node).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation: operation as Operation,
  })),
);

export const replies: readonly Reply[] = routes.flatMap((route) =>
  Object.entries(route.operation.responses).map(([status, response]) => ({
    route,
    status: Number(status),
    response: follow(response),
  })),
);

export function parametersOf({ operation }: Route): readonly Node[] {
  return (operation.parameters ?? []).map(follow);
}

/** The one media type of a body or reply, with its content. */
export function contentOf(message: Node): {
  mediaType: string;
  schema: Node;
  examples: Readonly<Record<string, Node>>;
} {
  const [[mediaType, content] = ["", {}]] = Object.entries(at(message, "content")) as [string, Node][];
  return { mediaType, schema: at(content, "schema"), examples: at(content, "examples") as Record<string, Node> };
}

/** Named examples of a body, reply, parameter or header, from `examples` or from `example`. */
export function examplesOf(node: Node): [name: string, value: unknown][] {
  if ("example" in node) return [["example", node.example]];
  return Object.entries(at(node, "examples")).map(([name, example]) => [name, follow(example as Node).value]);
}

/**
 * Compiles a schema of the document. Objects are closed, so that an example with an undocumented field is refused, even
 * where readers must tolerate it (the contract has no `allOf`, which closing would break).
 */
export function compile(schema: Node): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(close(absolute(schema)) as Node);
  compiled.set(schema, validate);
  return validate;
}

const compiled = new WeakMap<Node, ValidateFunction>();
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  keywords: ["x-secret", "x-contact", "x-format-by", "xml"],
});
addFormats.default(ajv);
ajv.addFormat("e164", /^\+[1-9]\d{6,14}$/);
ajv.addFormat("iana-timezone", (name: string) => Intl.supportedValuesOf("timeZone").includes(name));
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(close(absolute(schema)) as Node, name);

function absolute(node: unknown): unknown {
  return rewrite(node, (part) =>
    typeof part.$ref === "string" ? { ...part, $ref: part.$ref.replace("#/components/schemas/", "") } : part,
  );
}

function close(node: unknown): unknown {
  return rewrite(node, (part) =>
    part.type === "object" && !("additionalProperties" in part) ? { ...part, additionalProperties: false } : part,
  );
}

function rewrite(node: unknown, change: (part: Node) => Node): unknown {
  if (Array.isArray(node)) return node.map((item) => rewrite(item, change));
  if (typeof node !== "object" || node === null) return node;
  const parts = Object.entries(node).map(([key, value]) => [key, rewrite(value, change)]);
  return change(Object.fromEntries(parts));
}
