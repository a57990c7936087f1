// The contract's numbers, patterns and lists, each as a separate constant, so that a bundler drops the unused ones.
import type { Artefact } from "../artefact.ts";
import {
  alternatives,
  type Bounds,
  type Contract,
  type Operation,
  type Parameter,
  referencedName,
  type Schema,
} from "../model.ts";
import { literal } from "./literal.ts";

export const artefact: Artefact = {
  path: "packages/contract/src/generated/constants.ts",
  render(contract) {
    const { schemas, operations, problemPages, bulkConcurrency } = contract;
    const lines = [
      ...Object.entries(schemas).flatMap(([name, schema]) => schemaConstants(constantName(name), schema)),
      ...operations.flatMap(({ parameters }) => parameters).flatMap(parameterConstants),
      ...operations.flatMap((operation) => waitConstants(contract, operation)),
      ...boundConstants("BULK_CONCURRENCY", bulkConcurrency),
      constant("PROBLEM_PAGES", literal(problemPages)),
    ];
    return `${[...new Set(lines)].join("\n")}\n`;
  },
};

/** The constants of a named string schema: its pattern, its limits, its values. */
function schemaConstants(name: string, schema: Schema): string[] {
  const { pattern, minLength, maxLength, enum: values } = schema;
  if (pattern === undefined && values === undefined) return [];
  return [
    // JSON Schema reads a pattern as Unicode
    ...(pattern === undefined ? [] : [constant(`${name}_PATTERN`, `/${new RegExp(pattern, "u").source}/u`)]),
    ...(minLength === undefined ? [] : [constant(`${name}_MIN_LENGTH`, literal(minLength))]),
    ...(maxLength === undefined ? [] : [constant(`${name}_MAX_LENGTH`, literal(maxLength))]),
    ...(values === undefined ? [] : [listConstant(`${name}_VALUES`, values)]),
  ];
}

function parameterConstants({ name, keptDays }: Parameter): string[] {
  return boundConstants(`${constantName(name)}_KEPT_DAYS`, keptDays);
}

/** The states that end a wait, named after the schema of the state. */
function waitConstants({ schemas, operations }: Contract, { command: { wait } }: Operation): string[] {
  if (wait === undefined) return [];
  const view = operations.find(({ operationId }) => operationId === wait.operation)?.success.schemaName ?? "";
  const field = schemas[view]?.properties?.[wait.field] ?? {};
  const state = [field, ...alternatives(field)].map(referencedName).find((name) => name !== undefined);
  const name = constantName(state ?? `${view}_${wait.field}`);
  return [listConstant(`${name}_ENDS`, wait.until)];
}

function boundConstants(name: string, bounds: Bounds = {}): string[] {
  return Object.entries(bounds).map(([bound, value]) => constant(`${name}_${bound.toUpperCase()}`, literal(value)));
}

function listConstant(name: string, values: readonly unknown[]): string {
  return constant(name, `${literal(values, "", `export const ${name} =  as const;`.length)} as const`);
}

function constant(name: string, value: string): string {
  return `export const ${name} = ${value};`;
}

/** `TtsBatchStatus` → `TTS_BATCH_STATUS`, `Idempotency-Key` → `IDEMPOTENCY_KEY`. */
function constantName(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|-/g, "_").toUpperCase();
}
