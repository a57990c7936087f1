// Holds a request against the contract: path, query, header and body together, and all faults at once.

import { type OperationId, operations } from "@msgctl/contract";
import { parameterSchemas, schemas } from "@msgctl/contract/schemas";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
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

/** Throws `validation_error`, or the more specific code that all faults share. Numbers in path and query are read in place. */
export type RequestValidator = (parts: RequestParts) => void;

type Check = readonly [place: keyof RequestParts, prefix: string, validate: ValidateFunction];

/** Makes validators of the contract's operations; the schemas are shared between them. */
export function createRequestValidators(
  compilations: Compilations,
): (operationId: OperationId, findFaults?: (input: AnyInput) => readonly FieldFault[]) => RequestValidator {
  const ajv = compilations.later(createAjv);

  function compile(operationId: OperationId): Check[] {
    const { bodySchema } = operations[operationId];
    const checks: Check[] = [];
    for (const place of ["path", "query"] as const) {
      const schema = parameterSchemas[operationId][place];
      if (schema !== undefined) checks.push([place, `/${place}`, ajv().compile(schema)]);
    }
    if (bodySchema !== null) checks.push(["body", "", compileBody(ajv(), bodySchema)]);
    return checks;
  }

  return (operationId, findFaults) => {
    const checks = compilations.later(() => compile(operationId));
    const { path = {}, query = {} } = parameterSchemas[operationId];
    const [readPath, readQuery] = [createReader(path), createReader(query)];
    return (parts) => {
      readPath(parts.path);
      readQuery(parts.query);
      let faults: FieldFault[] | undefined;
      for (const [place, prefix, validate] of checks()) {
        if (validate(parts[place])) continue;
        faults = [...(faults ?? []), ...toFaults(validate, prefix)];
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
 * told below `prefix`; numbers in a query (`/query`) are read in place.
 */
export function createValueChecks(
  compilations: Compilations,
): (schema: object, prefix: "" | "/query", findFaults?: (value: unknown) => readonly FieldFault[]) => ValueCheck {
  const ajv = compilations.later(createAjv);
  return (schema, prefix, findFaults) => {
    const compiled = compilations.later(() => ajv().compile(schema));
    const read = createReader(prefix === "/query" ? schema : {});
    return (value) => {
      read(value);
      const validate = compiled();
      const found = validate(value) ? undefined : toFaults(validate, prefix);
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

type Properties = Readonly<Record<string, { readonly type?: unknown }>>;

/** Reads the whole numbers of a path or query, digits only: Ajv would take 1e3, 0x10 and " 1" too, and round. */
function createReader(schema: { readonly properties?: Properties }): (values: unknown) => void {
  const names = Object.entries(schema.properties ?? {})
    .filter(([, { type }]) => type === "integer")
    .map(([name]) => name);
  return (values) => {
    const texts = values as Record<string, unknown>;
    for (const name of names) {
      const text = texts[name];
      if (typeof text === "string" && /^-?\d+$/.test(text)) texts[name] = Number(text);
    }
  };
}

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    coerceTypes: false,
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

/**
 * A `oneOf` that no branch satisfies reports each branch and then itself: only the last says something. Of faults of one
 * code at one place (a phone number's pattern and its format) the first says enough.
 */
function toFaults({ errors }: ValidateFunction, prefix: string): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const error of errors ?? []) {
    if (error.schemaPath.includes("/oneOf/") || error.schemaPath.includes("/anyOf/")) continue;
    const fault = describeFault(error, prefix);
    const key = `${fault.code} ${fault.pointer}`;
    if (!faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()];
}
