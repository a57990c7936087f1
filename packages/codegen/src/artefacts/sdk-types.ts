import type { Artefact } from "../artefact.ts";
import { comment, methodOf, queryTypeOf, wrap } from "./sdk-words.ts";

/** The contract's types under their own names, so that a caller imports `MerchantView` and not a path into a tree. */
export const artefact: Artefact = {
  path: "packages/sdk/src/generated/types.ts",
  render({ schemas, operations }) {
    const takerOf = new Map(operations.map(({ body, command }) => [body?.schemaName, methodOf(command)]));
    const ofSchemas = Object.entries(schemas).flatMap(([name, { description }]) => [
      "",
      ...comment(wrap(description ?? `Body of \`${takerOf.get(name) ?? name}\`.`)),
      `export type ${name} = Schemas["${name}"];`,
    ]);
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
