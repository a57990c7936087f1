import { isObject, type JsonObject } from "../../output/fields.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Makes a schema self-contained: copies all schemas that it references as `Name#`, even indirectly, into its `$defs`. */
export function standaloneSchema(schema: unknown, library: Readonly<Record<string, unknown>>): JsonObject {
  const definitions: Record<string, unknown> = {};
  const name = nameIn(schema);
  const root = rewrite(name === undefined ? schema : library[name], definitions, library);
  const isEmpty = Object.keys(definitions).length === 0;
  return { $schema: DIALECT, ...(isObject(root) && root), ...(!isEmpty && { $defs: definitions }) };
}

function rewrite(
  schema: unknown,
  definitions: Record<string, unknown>,
  library: Readonly<Record<string, unknown>>,
): unknown {
  if (Array.isArray(schema)) return schema.map((element) => rewrite(element, definitions, library));
  if (!isObject(schema)) return schema;
  const name = nameIn(schema);
  if (name !== undefined) {
    if (!Object.hasOwn(definitions, name)) {
      // Set before the recursion, since a schema may refer to itself.
      definitions[name] = null;
      definitions[name] = rewrite(library[name], definitions, library);
    }
    return { ...schema, $ref: `#/$defs/${name}` };
  }
  const entries = Object.entries(schema).filter(([key]) => key !== "$id");
  return Object.fromEntries(entries.map(([key, value]) => [key, rewrite(value, definitions, library)]));
}

function nameIn(schema: unknown): string | undefined {
  if (!isObject(schema) || typeof schema.$ref !== "string" || !schema.$ref.endsWith("#")) return undefined;
  return schema.$ref.slice(0, -1);
}
