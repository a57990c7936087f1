import { type Entry, isRecord } from "./source.ts";

/**
 * Merges the referenced components of another document into this one, for tools that read a single file. The component names
 * of the two documents must differ, which is checked when the second document is read.
 */
export function gather(root: Entry): Record<string, unknown> {
  const components: Record<string, Record<string, unknown>> = {};
  const taken = new Set<string>();

  /** Rewrites the references in the value to point into this document. */
  function localize(entry: Entry): unknown {
    const { value, source } = entry;
    if (Array.isArray(value)) return entry.items().map(localize);
    if (!isRecord(value)) return value;
    const copy = Object.fromEntries(entry.entries().map((child) => [child.key, localize(child)]));
    if (typeof value.$ref !== "string") return copy;
    const [, pointer = ""] = value.$ref.split("#", 2);
    const target = source.follow(value.$ref);
    if (target !== undefined && target.source !== root.source) take(pointer, target);
    return { ...copy, $ref: `#${pointer}` };
  }

  function take(pointer: string, target: Entry): void {
    if (taken.has(pointer)) return;
    taken.add(pointer);
    const [, , kind = "", name = ""] = pointer.split("/");
    const component = localize(target);
    components[kind] = { ...components[kind], [name]: component };
  }

  const document = localize(root) as Record<string, unknown>;
  const own = isRecord(document.components) ? document.components : {};
  const merged = Object.fromEntries(
    [...new Set([...Object.keys(own), ...Object.keys(components)])].map((kind) => [
      kind,
      { ...components[kind], ...(isRecord(own[kind]) ? own[kind] : {}) },
    ]),
  );
  return { ...document, components: merged };
}
