// Generates TypeScript types with openapi-typescript, and adds two features that its output would lose: int64 and open enums.
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import type { Artefact } from "../artefact.ts";
import { type ApiDocument, referencedName, type Schema } from "../model.ts";

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
  render: renderTypes,
};

/** The types of a document. For schemas of the contract that another document refers to, imports the contract's types. */
export async function renderTypes(document: ApiDocument): Promise<string> {
  const sent = sentSchemas(document);
  const own = new Set(document.ownSchemas);
  let usesContract = false;
  const nodes = await openapiTypescript(structuredClone(document.document) as unknown as OpenAPI3, {
    // A default is the server's assumption for a missing field: it does not make the field required.
    defaultNonNullable: false,
    silent: true,
    transform: (schema, { path = "" }) => {
      const [, name] = /^#\/components\/schemas\/([^/]+)$/.exec(path) ?? [];
      if (name !== undefined && !own.has(name)) {
        usesContract = true;
        return contractType(name);
      }
      return "format" in schema && schema.format === "int64" ? int64Type(schema.type, isSent(path, sent)) : undefined;
    },
    postTransform: openUnion,
  });
  const types = astToString(nodes.map((node) => allowUndefined(node, sent)));
  return usesContract ? `import type { Schemas } from "@msgctl/contract";\n\n${types}` : types;
}

/**
 * Lets a caller pass `undefined` for an optional member of a body, a query or a header, which is then not sent. Otherwise
 * TypeScript's exactOptionalPropertyTypes would refuse it.
 */
function allowUndefined(root: ts.Node, sent: ReadonlySet<string>): ts.Node {
  const visit = (node: ts.Node, isSent: boolean): ts.Node => {
    if (!ts.isPropertySignature(node)) return visitChildren(node, isSent);
    const name = (node.name as ts.Identifier | ts.StringLiteral).text;
    const member = visitChildren(node, isSent || sent.has(name) || name === "query" || name === "header");
    const { modifiers, questionToken, type } = member;
    if (!isSent || !questionToken || !type || type.kind === ts.SyntaxKind.NeverKeyword) return member;
    const optional = factory.createUnionTypeNode([...flatten(type), keyword(ts.SyntaxKind.UndefinedKeyword)]);
    return ts.setTextRange(
      factory.updatePropertySignature(member, modifiers, member.name, questionToken, optional),
      node,
    );
  };
  const visitChildren = <Node extends ts.Node>(node: Node, isSent: boolean): Node =>
    ts.visitEachChild(node, (child) => visit(child, isSent), undefined);
  return visit(root, false);
}

function contractType(name: string): ts.TypeNode {
  const index = factory.createLiteralTypeNode(factory.createStringLiteral(name));
  return factory.createIndexedAccessTypeNode(factory.createTypeReferenceNode("Schemas"), index);
}

/** Names of the schemas that occur in request bodies. */
function sentSchemas({ operations, schemas }: ApiDocument): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined) return;
    const name = referencedName(schema);
    if (name !== undefined && !names.has(name)) {
      names.add(name);
      visit(schemas[name]);
    }
    for (const part of [schema.items, ...Object.values(schema.properties ?? {})]) visit(part);
    for (const parts of [schema.anyOf, schema.oneOf, schema.allOf]) parts?.forEach(visit);
  };
  for (const { body } of operations) {
    if (body === undefined) continue;
    names.add(body.schemaName);
    visit(body.schema);
  }
  return names;
}

/** Whether a caller sends the value at the path: a parameter, or a part of a request's body. */
function isSent(path: string, sent: ReadonlySet<string>): boolean {
  const [, name] = /^#\/components\/schemas\/([^/]+)/.exec(path) ?? [];
  return name === undefined ? /\/parameters\//.test(path) : sent.has(name);
}

/**
 * A caller may send an int64 as a bigint if a double cannot hold it exactly. In a reply it is a number: the SDK refuses one
 * that a double cannot hold.
 */
function int64Type(type: unknown, isSent: boolean): ts.TypeNode {
  const isNullable = Array.isArray(type) && type.includes("null");
  const members = [NUMBER, ...(isSent ? [BIGINT] : []), ...(isNullable ? [NULL] : [])];
  return members.length === 1 ? NUMBER : factory.createUnionTypeNode(members);
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
