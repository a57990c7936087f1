// How the contract is written: what readers may rely on, and what every tool that reads it can take.

import { describe, expect, test } from "vitest";
import { at, contentOf, document, follow, type Node, parametersOf, routes, schemas } from "./document.ts";

const objects = Object.entries(schemas).filter(([, schema]) => schema.type === "object");
const isRequest = ([name]: [string, Node]) => name.endsWith("Request");
const requests = objects.filter(isRequest);
const views = objects.filter((entry) => !isRequest(entry) && !["Problem", "FieldProblem"].includes(entry[0]));

/** Every object schema inside a schema, itself included, with its path. */
function objectsIn(schema: Node, path = ""): [path: string, schema: Node][] {
  const fields = Object.entries(at(schema, "properties")) as [string, Node][];
  const inner = fields.flatMap(([name, field]) =>
    objectsIn(field.type === "array" ? at(field, "items") : field, `${path}/${name}`),
  );
  return schema.type === "object" ? [[path, schema], ...inner] : inner;
}

/** Every node of the document that has a key, with its path. */
function nodesWith(key: string, node: unknown = document, path = ""): [path: string, node: Node][] {
  if (typeof node !== "object" || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, child]) => nodesWith(key, child, `${path}/${name}`));
  return key in node ? [[path, node as Node], ...inner] : inner;
}

describe("views", () => {
  test.each(views)("%s requires every field and tolerates more", (_, schema) => {
    for (const [path, object] of objectsIn(schema)) {
      expect([path, object.required]).toEqual([path, Object.keys(at(object, "properties"))]);
      expect(object).not.toHaveProperty("additionalProperties");
    }
  });

  test("open their enums for values to come", () => {
    const closed = views
      .flatMap(([name, schema]) => nodesWith("$ref", schema, name))
      .filter(([path, node]) => "enum" in follow(node) && !path.endsWith("/anyOf/0"));
    expect(closed).toEqual([]);
  });
});

describe("requests", () => {
  test.each(requests)("%s refuses fields it does not have and nulls", (_, schema) => {
    for (const [, object] of objectsIn(schema)) expect(object.additionalProperties).toBe(false);
    expect(nodesWith("type", schema).filter(([, { type }]) => [type].flat().includes("null"))).toEqual([]);
  });

  test.each(requests)("%s bounds every text, number and list that is not judged at review", (name, schema) => {
    const judged = name === "V1MerchantMessagingCampaignRequest" ? JUDGED_AT_REVIEW : [];
    const unbounded = Object.entries(at(schema, "properties")).filter(([, node]) => {
      const { type, enum: values, maxLength, pattern, minimum, maxItems } = follow(node as Node);
      if (type === "string") return values === undefined && maxLength === undefined && pattern === undefined;
      if (type === "integer") return minimum === undefined;
      return type === "array" && maxItems === undefined;
    });
    expect(unbounded.map(([field]) => field).filter((field) => !judged.includes(field))).toEqual([]);
  });
});

const JUDGED_AT_REVIEW = [
  "description",
  "messageFlow",
  "sampleMessages",
  "optInKeywords",
  "optOutKeywords",
  "helpKeywords",
  "optInMessage",
  "optOutMessage",
  "helpMessage",
];

describe("words", () => {
  test("every operation, tag, reply and server has a description", () => {
    const replies = routes.flatMap(({ operation }) => Object.values(operation.responses).map(follow));
    const described = [
      ...routes.map(({ operation }) => operation),
      ...replies,
      ...(document.tags as Node[]),
      ...(document.servers as Node[]),
    ];
    expect(described.filter(({ description }) => !isText(description))).toEqual([]);
  });

  test("every parameter, header and field has a description", () => {
    const parameters = routes.flatMap(parametersOf);
    const headers = Object.values(at(document, "components", "headers")) as Node[];
    const fields = objects.flatMap(([name, schema]) =>
      objectsIn(schema, name).flatMap(([path, object]) =>
        Object.entries(at(object, "properties")).map(
          ([field, node]): Node => ({ ...(node as Node), path: `${path}/${field}` }),
        ),
      ),
    );
    expect([...parameters, ...headers, ...fields].filter(({ description }) => !isText(description))).toEqual([]);
  });

  test("every field that can be null says when", () => {
    const silent = nodesWith("description", at(document, "components", "schemas")).filter(([, node]) => {
      const types = [node.type, ...((node.anyOf ?? []) as Node[]).map(({ type }) => type)].flat();
      return types.includes("null") && !String(node.description).includes("null");
    });
    expect(silent).toEqual([]);
  });

  test("every money field says its unit", () => {
    const money = nodesWith("description", at(document, "components", "schemas")).filter(
      ([path, { $ref, format }]) =>
        $ref === "#/components/schemas/UsdAmount" || (format === "double" && /Cost$/.test(path)),
    );
    expect(money.length).toBeGreaterThan(20);
    expect(money.filter(([, { description }]) => !/US dollars/.test(String(description)))).toEqual([]);
  });
});

test("keywords that some reader of the contract does not take are not used", () => {
  const keywords = [
    "prefixItems",
    "unevaluatedProperties",
    "$dynamicRef",
    "if",
    "then",
    "else",
    "nullable",
    "allOf",
    "not",
  ];
  expect(
    keywords.flatMap((key) => nodesWith(key, at(document, "components", "schemas")).map(([path]) => path)),
  ).toEqual([]);
});

test("the SIP password, and nothing else, is secret", () => {
  expect(nodesWith("x-secret").map(([path]) => path)).toEqual([
    "/components/schemas/V1VoiceProvisioningResponse/properties/sipUsers/items/properties/password",
  ]);
});

test("every reply and body has one media type", () => {
  const messages = nodesWith("content").map(([, node]) => node);
  expect(messages.filter((message) => Object.keys(at(message, "content")).length !== 1)).toEqual([]);
  expect(
    routes
      .flatMap(({ operation }) => (operation.requestBody ? [contentOf(operation.requestBody).mediaType] : []))
      .every((type) => type === "application/json"),
  ).toBe(true);
});

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim().length > 0;
}
