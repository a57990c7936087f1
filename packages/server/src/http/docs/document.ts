// The contract as the documentation reads it: untyped JSON.

export type Node = Readonly<Record<string, unknown>>;

/** Returns the value if it is an object, else an empty one. */
export function toNode(value: unknown): Node {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : {};
}

export function toNodes(value: unknown): Node[] {
  return Array.isArray(value) ? value.map(toNode) : [];
}

export function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Resolves a reference, and returns its last segment as the name; returns a value that is no reference itself. */
export function follow(document: Node, value: unknown): { node: Node; name: string | undefined } {
  const reference = toText(toNode(value).$ref);
  if (reference === undefined) return { node: toNode(value), name: undefined };
  const words = reference.replace(/^#\//, "").split("/");
  const node = words.reduce<unknown>((inner, word) => toNode(inner)[word], document);
  return { node: toNode(node), name: words.at(-1) };
}
