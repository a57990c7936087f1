// Rules for the form of the contract. Its readers may rely on them, and every tool supports contracts that follow them.

import { describe, expect, test } from "vitest";
import {
  at,
  contentOf,
  document,
  follow,
  type Node,
  type Operation,
  parametersOf,
  type Route,
  replies,
  routes,
  schemas,
} from "./document.ts";

const objects = Object.entries(schemas).filter(([, schema]) => schema.type === "object");
const isRequest = ([name]: [string, Node]) => name.endsWith("Request");
const requests = objects.filter(isRequest);
const views = objects.filter((entry) => !isRequest(entry) && !["Problem", "FieldProblem"].includes(entry[0]));

/** Every object schema in a schema, including the schema itself, with its path. */
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
  test("require every field, and allow unknown ones", () => {
    const all = views.flatMap(([name, schema]) => objectsIn(schema, name));
    const required = all.map(([path, object]) => [path, object.required]);
    expect(required).toEqual(all.map(([path, object]) => [path, Object.keys(at(object, "properties"))]));
    expect(all.filter(([, object]) => "additionalProperties" in object)).toEqual([]);
  });

  test("allow future values of enums", () => {
    const closed = views
      .flatMap(([name, schema]) => nodesWith("$ref", schema, name))
      .filter(([path, node]) => "enum" in follow(node) && !path.endsWith("/anyOf/0"));
    expect(closed).toEqual([]);
  });
});

describe("requests", () => {
  test("reject unknown fields and nulls", () => {
    const all = requests.flatMap(([name, schema]) => objectsIn(schema, name));
    expect(all.filter(([, { additionalProperties }]) => additionalProperties !== false)).toEqual([]);
    const typed = requests.flatMap(([name, schema]) => nodesWith("type", schema, name));
    expect(typed.filter(([, { type }]) => [type].flat().includes("null"))).toEqual([]);
  });

  test("bound every number", () => {
    const numbers = requests
      .flatMap(([name, schema]) => schemasIn(schema, name))
      .filter(([, { type }]) => type === "integer" || type === "number");
    expect(numbers).not.toEqual([]);
    expect(numbers.filter(([, node]) => !isBounded(node))).toEqual([]);
  });

  test("state which characters their texts may not have", () => {
    const taken = [
      ...requests.flatMap(([name, schema]) => schemasIn(schema, name)),
      ...routes.filter(({ operation }) => tells(operation, "validation_error")).flatMap(parameterSchemas),
    ];
    const texts = taken.filter(([, node]) => node.type === "string" && node.enum === undefined);
    expect(texts.length).toBeGreaterThan(50);
    const silent = texts.filter(([, { format, pattern }]) => format === undefined && !forbids(pattern, "\0"));
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  test("allow no control characters in names, identifiers and labels", () => {
    const free = requests
      .flatMap(([name, schema]) => schemasIn(schema, name))
      .filter(
        ([path, node]) =>
          !isText.test(path) && node.type === "string" && node.enum === undefined && node.format === undefined,
      )
      .filter(([, { pattern }]) => ["\n", "\u007f", "\u0085"].some((character) => !forbids(pattern, `a${character}b`)));
    expect(free.map(([path]) => path)).toEqual([]);
  });
});

/** Whether a number is bounded on both sides: by its keywords, or by its format. */
function isBounded({ format, minimum, maximum }: Node): boolean {
  return format === "int32" || format === "int64" || (minimum !== undefined && maximum !== undefined);
}

/** Fields with text for people. A subject has one line; the others may have several. */
const isText =
  /\/(?:message|messageText|text|body|subject|note|description|messageFlow|sampleMessages\/items|\w+Message|reviewFailureReason|rawProviderPayload|replyBody)$/;

describe("in the contract,", () => {
  const parameters = Object.entries(at(document, "components", "parameters")) as [string, Node][];
  const headers = Object.entries(at(document, "components", "headers")) as [string, Node][];
  const all = [
    ...Object.entries(schemas).flatMap(([name, schema]) => schemasIn(schema, name)),
    ...[...parameters, ...headers].flatMap(([name, node]) => schemasIn(at(node, "schema"), name)),
    ...routes.flatMap(parameterSchemas),
    ...replies.flatMap(({ route, status, response }) =>
      "content" in response ? schemasIn(contentOf(response).schema, `${route.operation.operationId} ${status}`) : [],
    ),
  ];

  test("every string has a maxLength or an enum", () => {
    const unbounded = all.filter(
      ([, node]) =>
        [node.type].flat().includes("string") &&
        node.enum === undefined &&
        node.const === undefined &&
        node.maxLength === undefined,
    );
    expect(all.length).toBeGreaterThan(500);
    expect(unbounded.map(([path]) => path)).toEqual([]);
  });

  test("every array in a request or a problem has maxItems", () => {
    const unbounded = all.filter(
      ([path, { type, maxItems }]) =>
        type === "array" && maxItems === undefined && /^(?:Problem|\w+Request)\b/.test(path),
    );
    expect(unbounded.map(([path]) => path)).toEqual([]);
  });

  test("every text of a reply has room for the values that a request may set", () => {
    const narrow = routes.flatMap(({ operation }) => {
      const success = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1] ?? {};
      if (operation.requestBody === undefined || !("content" in follow(success))) return [];
      const fieldsOf = (message: Node) => at(follow(contentOf(message).schema), "properties");
      const shown = fieldsOf(follow(success));
      return Object.entries(fieldsOf(operation.requestBody))
        .filter(([field, node]) => {
          const { type, maxLength } = follow((shown[field] ?? {}) as Node);
          return [type].flat().includes("string") && Number(maxLength) < Number(follow(node as Node).maxLength);
        })
        .map(([field]) => `${operation.operationId} ${field}`);
    });
    expect(narrow).toEqual([]);
  });
});

describe("patterns", () => {
  const patterns = [...new Set(nodesWith("pattern").map(([, { pattern }]) => pattern))].filter(
    (pattern) => typeof pattern === "string",
  );

  test("are interpreted alike by RE2, Java and ECMA-262", () => {
    expect(patterns).not.toEqual([]);
    for (const pattern of patterns) {
      expect.soft(() => new RegExp(pattern, "u"), pattern).not.toThrow();
      // no look-around, named or other special group; no back-reference; no \\u, \\p, \\c, \\Z and their like
      expect.soft(pattern).not.toMatch(/\(\?(?!:)/);
      const unescaped = pattern.replaceAll(/\\(?:[dDwWsSbrnt.+\-*?^$|()[\]{}/\\]|x[\da-f]{2})/g, "");
      expect.soft(unescaped, pattern).not.toContain("\\");
      // no possessive or nested quantifier, and no count that RE2 refuses
      expect.soft(pattern).not.toMatch(/[*+?}]\+|[*+]\*/);
      for (const [, least, most] of pattern.matchAll(/\{(\d+),?(\d*)\}/g))
        expect.soft(Number(most || least), pattern).toBeLessThanOrEqual(1_000);
    }
  });
});

function tells(operation: Operation, code: string): boolean {
  return Object.values(operation.responses).some((reply) => {
    const response = follow(reply);
    return "content" in response && code in contentOf(response).examples;
  });
}

function parameterSchemas(route: Route): [path: string, schema: Node][] {
  return parametersOf(route).flatMap((parameter) =>
    schemasIn(at(parameter, "schema"), `${route.operation.operationId}/${parameter.name}`),
  );
}

/** Every schema in a schema, including the schema itself, with its path. References are followed once. */
function schemasIn(node: Node, path = ""): [path: string, schema: Node][] {
  const schema = follow(node);
  const inner = [
    ...Object.entries(at(schema, "properties")),
    ...(schema.items === undefined ? [] : [["items", schema.items] as const]),
    ...["anyOf", "oneOf"].flatMap((key) =>
      ((schema[key] ?? []) as Node[]).map((part, index) => [`${key}/${index}`, part] as const),
    ),
  ] as [string, Node][];
  return [[path, schema], ...inner.flatMap(([name, part]) => schemasIn(part, `${path}/${name}`))];
}

function forbids(pattern: unknown, text: string): boolean {
  return typeof pattern === "string" && !new RegExp(pattern, "u").test(text);
}

describe("in the descriptions of the contract,", () => {
  test("every operation, tag, reply and server is described", () => {
    const replies = routes.flatMap(({ operation }) => Object.values(operation.responses).map(follow));
    const described = [
      ...routes.map(({ operation }) => operation),
      ...replies,
      ...(document.tags as Node[]),
      ...(document.servers as Node[]),
    ];
    expect(described.filter(({ description }) => !isWords(description))).toEqual([]);
  });

  test("every parameter, header and field is described", () => {
    const parameters = routes.flatMap(parametersOf);
    const headers = Object.values(at(document, "components", "headers")) as Node[];
    const fields = objects.flatMap(([name, schema]) =>
      objectsIn(schema, name).flatMap(([path, object]) =>
        Object.entries(at(object, "properties")).map(
          ([field, node]): Node => ({ ...(node as Node), path: `${path}/${field}` }),
        ),
      ),
    );
    expect([...parameters, ...headers, ...fields].filter(({ description }) => !isWords(description))).toEqual([]);
  });

  test("every field that can be null says when", () => {
    const silent = nodesWith("description", at(document, "components", "schemas")).filter(([, node]) => {
      const types = [node.type, ...((node.anyOf ?? []) as Node[]).map(({ type }) => type)].flat();
      return types.includes("null") && !String(node.description).includes("null");
    });
    expect(silent).toEqual([]);
  });

  test("every money field states its unit", () => {
    const money = nodesWith("description", at(document, "components", "schemas")).filter(
      ([path, { $ref, format }]) =>
        $ref === "#/components/schemas/UsdAmount" || (format === "double" && /Cost$/.test(path)),
    );
    expect(money.length).toBeGreaterThan(20);
    expect(money.filter(([, { description }]) => !/US dollars/.test(String(description)))).toEqual([]);
  });
});

test("keywords that some reader of the contract does not support are not used", () => {
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

test("only the SIP password is secret", () => {
  expect(nodesWith("x-secret").map(([path]) => path)).toEqual([
    "/components/schemas/V1VoiceProvisioningResponse/properties/sipUsers/items/properties/password",
  ]);
});

test("people's numbers and addresses are contacts; a merchant's own numbers are not", () => {
  const names = new Set(nodesWith("x-contact").map(([path]) => path.split("/").at(-1)));
  expect([...names].sort()).toEqual([
    ...["contact", "contactEmail", "contactPhone", "email", "forwardNumber", "to", "toNumber", "toNumbers"],
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

// without this name, tools that read XML by its schema (such as Specmatic) do not load the document
test("a reply in XML names its root element, and its examples have that root", () => {
  const roots = replies.flatMap(({ response }) => {
    if (!("content" in response)) return [];
    const { mediaType, schema, examples } = contentOf(response);
    if (mediaType !== "application/xml") return [];
    const { name } = at(follow(schema), "xml");
    return Object.values(examples).map(({ value }) => [name, /<([a-z]+)/.exec(String(value))?.[1]]);
  });
  expect(roots).toEqual([
    ["document", "document"],
    ["document", "document"],
  ]);
});

function isWords(value: unknown): boolean {
  return typeof value === "string" && value.trim().length > 0;
}
