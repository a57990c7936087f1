// The contract as the documentation reads it: any JSON, looked into step by step.

export type Node = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one where it is none. */
export function toNode(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

export function toNodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.map(toNode) : [];
}

export function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** What a reference of the document stands for, and its last word; the value itself where it is no reference. */
export function follow(document: Node, value: unknown): { node: Node; name: string | undefined } {
  const reference = toText(toNode(value).$ref);
  if (reference === undefined) return { node: toNode(value), name: undefined };
  const words = reference.replace(/^#\//, "").split("/");
  const node = words.reduce<unknown>((inner, word) => toNode(inner)[word], document);
  return { node: toNode(node), name: words.at(-1) };
}
