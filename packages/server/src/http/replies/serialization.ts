import { createRequire } from "node:module";
import type { FastifyServerOptions } from "fastify";
import type { Compilations } from "../validation/compilations.ts";

type CompilersFactory = NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>;
export type Stringify = (value: unknown) => string;

// loaded with the first serializer: it takes 20 ms
const require = createRequire(import.meta.url);

/** Makes Fastify compile each serializer when it is first needed. Requests are validated elsewhere. */
export function createCompilersFactory(compilations: Compilations): CompilersFactory {
  return {
    buildValidator: () => () => {
      throw new Error("a route asked Fastify to validate: http/validation.ts does");
    },
    buildSerializer: (schemas) => (route) => createSerializer(route.schema, schemas, compilations),
  };
}

/** Creates a JSON serializer for `schema`, which may refer to `schemas`. */
export function createSerializer(schema: unknown, schemas: unknown, compilations: Compilations): Stringify {
  const serializer = compilations.later<Stringify>(() => require("fast-json-stringify")(schema, { schema: schemas }));
  return (value) => serializer()(value);
}
