// The operations of the document, as its pages need them.

import { follow, type Node, toNode, toNodes, toText } from "./document.ts";

export interface Example {
  readonly title: string;
  readonly value: unknown;
}

/** The content of a request or reply body. */
export interface Content {
  readonly mediaType: string;
  readonly schema: Node;
  readonly examples: readonly Example[];
}

export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
  readonly schema: Node;
  readonly example: unknown;
}

export interface Reply {
  readonly status: string;
  readonly description: string | undefined;
  readonly content: Content | undefined;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string | undefined;
  /** The msgctl command, such as `send sms`. */
  readonly command: string;
  /** The path of its page. */
  readonly href: string;
  /** What trying it costs: money, or that it cannot be undone. */
  readonly cost: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: Content | undefined;
  readonly success: Reply | undefined;
  /** The problem codes of each status. */
  readonly errors: readonly { readonly status: string; readonly codes: readonly string[] }[];
}

export function listOperations(document: Node): Operation[] {
  return Object.entries(toNode(document.paths)).flatMap(([path, item]) => {
    const shared = toNodes(toNode(item).parameters);
    return Object.entries(toNode(item)).flatMap(([method, value]) => {
      const node = toNode(value);
      const id = toText(node.operationId);
      return id === undefined ? [] : [readOperation(document, { id, method, path, node, shared })];
    });
  });
}

interface Found {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly node: Node;
  /** Parameters defined on the path item. */
  readonly shared: readonly Node[];
}

function readOperation(document: Node, { id, method, path, node, shared }: Found): Operation {
  const { group, name, cost } = toNode(node["x-msgctl"]);
  const words = [toText(group) ?? "", toText(name) ?? id];
  const replies = Object.entries(toNode(node.responses));
  const success = replies.find(([status]) => status.startsWith("2"));
  return {
    id,
    method: method.toUpperCase(),
    path,
    tag: Array.isArray(node.tags) ? String(node.tags[0]) : "",
    summary: toText(node.summary) ?? id,
    description: toText(node.description),
    command: words.join(" "),
    href: `/docs/${words.map(encodeURIComponent).join("/")}`,
    cost: toText(cost),
    parameters: [...shared, ...toNodes(node.parameters)].map((parameter) => readParameter(document, parameter)),
    body: readContent(document, node.requestBody),
    success: success && readReply(document, ...success),
    errors: replies
      .filter(([status]) => !status.startsWith("2"))
      .map(([status, reply]) => ({ status, codes: codesOf(document, reply) })),
  };
}

export function readParameter(document: Node, value: Node): Parameter {
  const { node } = follow(document, value);
  return {
    name: toText(node.name) ?? "",
    place: toText(node.in) ?? "",
    isRequired: node.required === true,
    description: toText(node.description),
    schema: toNode(node.schema),
    example: node.example,
  };
}

function readReply(document: Node, status: string, value: unknown): Reply {
  return {
    status,
    description: toText(follow(document, value).node.description),
    content: readContent(document, value),
  };
}

/** Reads the only media type of a request body or reply; undefined without a body. */
export function readContent(document: Node, value: unknown): Content | undefined {
  const [media] = Object.entries(toNode(follow(document, value).node.content));
  if (media === undefined) return undefined;
  const [mediaType, content] = media;
  const { schema, examples } = toNode(content);
  return {
    mediaType,
    schema: toNode(schema),
    examples: Object.entries(toNode(examples)).map(([name, example]) => {
      const { summary, value } = follow(document, example).node;
      return { title: toText(summary) ?? name, value };
    }),
  };
}

/** Returns a refusal's problem codes, after which its examples are named. */
function codesOf(document: Node, value: unknown): string[] {
  const contents = Object.values(toNode(follow(document, value).node.content));
  return contents.flatMap((content) => Object.keys(toNode(toNode(content).examples)));
}
