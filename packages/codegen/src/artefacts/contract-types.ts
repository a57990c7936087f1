// openapi-typescript's own output, with two wire truths that JSON Schema has and its TypeScript would lose.
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import type { Artefact } from "../artefact.ts";

const { factory } = ts;
const keyword = (kind: ts.KeywordTypeSyntaxKind) => factory.createKeywordTypeNode(kind);
const NUMBER = keyword(ts.SyntaxKind.NumberKeyword);
const BIGINT = keyword(ts.SyntaxKind.BigIntKeyword);
const NULL = factory.createLiteralTypeNode(factory.createNull());
const OPEN_STRING = factory.createIntersectionTypeNode([
  keyword(ts.SyntaxKind.StringKeyword),
  factory.createTypeLiteralNode([]),
]);

export const artefact: Artefact = {
  path: "packages/contract/src/generated/types.ts",
  async render({ document }) {
    const nodes = await openapiTypescript(structuredClone(document) as unknown as OpenAPI3, {
      // A default is what the server assumes when a field is left out: it does not make the field required.
      defaultNonNullable: false,
      silent: true,
      transform: (schema) => ("format" in schema && schema.format === "int64" ? int64Type(schema.type) : undefined),
      postTransform: openUnion,
    });
    return astToString(nodes);
  },
};

/** An int64 may be past what a double holds exactly: such a value is a bigint. */
function int64Type(type: unknown): ts.TypeNode {
  const isNullable = Array.isArray(type) && type.includes("null");
  return factory.createUnionTypeNode(isNullable ? [NUMBER, BIGINT, NULL] : [NUMBER, BIGINT]);
}

/**
 * An open enum, `X | string`, would collapse to `string` and lose its documented values for completion;
 * `X | (string & {})` keeps them.
 */
function openUnion(type: ts.TypeNode): ts.TypeNode | undefined {
  if (!ts.isUnionTypeNode(type)) return undefined;
  const members = flatten(type);
  if (!members.some(ts.isIndexedAccessTypeNode) || !members.some(isString)) return undefined;
  return factory.createUnionTypeNode(members.map((member) => (isString(member) ? OPEN_STRING : member)));
}

function flatten(type: ts.TypeNode): ts.TypeNode[] {
  if (ts.isParenthesizedTypeNode(type)) return flatten(type.type);
  return ts.isUnionTypeNode(type) ? type.types.flatMap(flatten) : [type];
}

function isString(type: ts.TypeNode): boolean {
  return type.kind === ts.SyntaxKind.StringKeyword;
}
