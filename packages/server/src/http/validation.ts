// Holds a request against the contract: path, query, header and body together, and all faults at once.

import { type OperationId, operations } from "@msgctl/contract";
import { parameterSchemas, schemas } from "@msgctl/contract/schemas";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { AnyInput } from "../operations/operation.ts";
import { type FieldFault, refuseFaults } from "../operations/refusal.ts";
import type { Compilations } from "./compilations.ts";
import { describeFault } from "./faults.ts";
import { addFormats } from "./formats.ts";

export interface RequestParts {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** Throws `validation_error`, or the more specific code that all faults share. Path and query values are coerced in place. */
export type RequestValidator = (parts: RequestParts) => void;

type Check = readonly [place: keyof RequestParts, prefix: string, validate: ValidateFunction];

/** Makes validators of the contract's operations; the schemas are shared between them. */
export function createRequestValidators(
  compilations: Compilations,
): (operationId: OperationId, findFaults?: (input: AnyInput) => readonly FieldFault[]) => RequestValidator {
  const bodies = compilations.later(() => createAjv({ coerceTypes: false }));
  const parameters = compilations.later(() => createAjv({ coerceTypes: true }));

  function compile(operationId: OperationId): Check[] {
    const { bodySchema } = operations[operationId];
    const checks: Check[] = [];
    for (const place of ["path", "query"] as const) {
      const schema = parameterSchemas[operationId][place];
      if (schema !== undefined) checks.push([place, `/${place}`, parameters().compile(schema)]);
    }
    if (bodySchema !== null) checks.push(["body", "", compileBody(bodies(), bodySchema)]);
    return checks;
  }

  return (operationId, findFaults) => {
    const checks = compilations.later(() => compile(operationId));
    return (parts) => {
      let faults: FieldFault[] | undefined;
      for (const [place, prefix, validate] of checks()) {
        if (validate(parts[place])) continue;
        faults ??= [];
        for (const error of validate.errors ?? []) faults.push(...toFaults(error, prefix));
      }
      if (findFaults !== undefined) faults = join(faults, findFaults(parts));
      if (faults !== undefined) throw refuseFaults(faults);
    };
  };
}

/** Throws `validation_error` with every fault of the value. */
export type ValueCheck = (value: unknown) => void;

/**
 * Makes checks of values that no operation of the contract takes; a schema may name those of the contract. Faults are
 * told below `prefix`; values from a query (`/query`) are coerced in place.
 */
export function createValueChecks(
  compilations: Compilations,
): (schema: object, prefix: "" | "/query", findFaults?: (value: unknown) => readonly FieldFault[]) => ValueCheck {
  const ajvs = {
    "": compilations.later(() => createAjv({ coerceTypes: false })),
    "/query": compilations.later(() => createAjv({ coerceTypes: true })),
  };
  return (schema, prefix, findFaults) => {
    const compiled = compilations.later(() => ajvs[prefix]().compile(schema));
    return (value) => {
      const validate = compiled();
      const found = validate(value) ? undefined : (validate.errors ?? []).flatMap((error) => toFaults(error, prefix));
      const faults = findFaults === undefined ? found : join(found, findFaults(value));
      if (faults !== undefined) throw refuseFaults(faults);
    };
  };
}

/** What the schema says of a place goes before what else is wrong there. */
function join(found: FieldFault[] | undefined, others: readonly FieldFault[]): FieldFault[] | undefined {
  const news = others.filter(({ pointer }) => found?.every((fault) => fault.pointer !== pointer) ?? true);
  return news.length === 0 ? found : [...(found ?? []), ...news];
}

function createAjv(options: { coerceTypes: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    ...options,
    allErrors: true,
    removeAdditional: false,
    useDefaults: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    // the contract's tests hold the schemas against JSON Schema's own, which takes 40 ms to compile
    meta: false,
    validateSchema: false,
  });
  addFormats(ajv);
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  return ajv;
}

function compileBody(ajv: Ajv2020, name: string): ValidateFunction {
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`the contract has no schema ${name}`);
  return validate;
}

/** A `oneOf` that no branch satisfies reports each branch and then itself: only the last says something. */
function toFaults(error: ErrorObject, prefix: string): FieldFault[] {
  return error.schemaPath.includes("/oneOf/") || error.schemaPath.includes("/anyOf/")
    ? []
    : [describeFault(error, prefix)];
}
