import type { Artefact } from "../artefact.ts";
import { literal } from "./literal.ts";
import { comment, methodOf, queryTypeOf, wrap } from "./sdk-words.ts";

/**
 * The contract's types under their own names, so that a caller can import `MerchantView` directly. Each enum type also has
 * an object of its values, since an enum in a reply is open and accepts any string.
 */
export const artefact: Artefact = {
  path: "packages/sdk/src/generated/types.ts",
  render({ schemas, operations }) {
    const takerOf = new Map(operations.map(({ body, command }) => [body?.schemaName, methodOf(command)]));
    const ofSchemas = Object.entries(schemas).flatMap(([name, schema]) => {
      const words = comment(wrap(schema.description ?? `Body of \`${takerOf.get(name) ?? name}\`.`));
      return [
        ...["", ...words, `export type ${name} = Schemas["${name}"];`],
        ...(schema.enum === undefined ? [] : ["", ...words, constant(name, schema.enum)]),
      ];
    });
    const ofQueries = operations
      .filter(({ parameters }) => parameters.some((parameter) => parameter.in === "query"))
      .flatMap(({ operationId, method, path, command }) => [
        "",
        ...comment([`Query values of \`${methodOf(command)}\`.`]),
        `export type ${queryTypeOf(operationId)} = NonNullable<`,
        `  paths["${path}"]["${method.toLowerCase()}"]["parameters"]["query"]`,
        ">;",
      ]);
    return [
      'import type { components, paths } from "@msgctl/contract";',
      "",
      'type Schemas = components["schemas"];',
      ...ofSchemas,
      ...ofQueries,
      "",
    ].join("\n");
  },
};

/** A separate constant, so that a bundler drops it when it is unused. */
function constant(name: string, values: readonly unknown[]): string {
  const start = `export const ${name} = `;
  const entries = Object.fromEntries(values.map((value) => [String(value), value]));
  return `${start}${literal(entries, "", start.length + " as const;".length)} as const;`;
}
