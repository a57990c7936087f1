// Validates requests against the contract: path, query and body together, so that all faults are reported at once.

import { type ParsedUrlQuery, parse } from "node:querystring";
import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import type { AnyInput } from "../../domain/handler.ts";
import { type FieldFault, type OtherFaults, refuseFaults } from "../../domain/refusal.ts";
import { findLoneSurrogate } from "../../domain/unicode.ts";
import { type Api, contractApi } from "../api.ts";
import type { BodyFaults } from "../bodies/body-check.ts";
import { type Compilations, createAjv, validatorOf } from "./ajv.ts";
import { escapePointer, joinFaults, malformedText, toFaults } from "./faults.ts";

/**
 * Throws `validation_error`, or a more specific code if all faults share it. Parses numbers in path and query in place.
 *
 * @param ofBody the faults of the body, if it is already validated
 */
type RequestValidator = (input: AnyInput, ofBody: BodyFaults | null) => void;

type Check = readonly [location: keyof AnyInput, prefix: string, validate: ValidateFunction];

/** Creates the validators of an API's operations, which share their schemas. */
export function createRequestValidators<Id extends string>(
  { operations, parameterSchemas }: Api<Id>,
  ajv: () => Ajv2020,
  compilations: Compilations,
): (operationId: Id, findFaults?: (input: AnyInput) => readonly FieldFault[]) => RequestValidator {
  function compile(operationId: Id): Check[] {
    const { bodySchema } = operations[operationId];
    const checks: Check[] = [];
    for (const location of ["path", "query"] as const) {
      const schema = parameterSchemas[operationId][location];
      if (schema !== undefined) checks.push([location, `/${location}`, ajv().compile(schema)]);
    }
    if (bodySchema !== null) checks.push(["body", "", validatorOf(ajv(), bodySchema)]);
    return checks;
  }

  return (operationId, findFaults = () => none) => {
    const checks = compilations.later(() => compile(operationId));
    const { path = {}, query = {} } = parameterSchemas[operationId];
    const takesAnyQuery = parameterSchemas[operationId].query === undefined;
    const [readPath, readQuery] = [createReader(path), createReader(query)];

    return (input, ofBody) => {
      let faults = takesAnyQuery ? none : findMalformed(input.query);
      readPath(input.path);
      readQuery(input.query);
      if (ofBody) faults = joinFaults(faults, ofBody.faults);
      for (const [location, prefix, validate] of checks()) {
        if (location === "body" && ofBody?.isValidated === true) continue;
        if (!validate(input[location])) faults = joinFaults(faults, toFaults(validate, prefix));
      }
      refuse(joinFaults(faults, findFaults(input)), ofBody?.others);
    };
  };
}

const none: readonly FieldFault[] = [];

function refuse(faults: readonly FieldFault[], others?: OtherFaults): void {
  if (faults.length > 0) throw refuseFaults(faults, others);
}

/** Finds texts of a query that `parseQuery` could not decode. */
function findMalformed(query: unknown): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const texts = query as Readonly<Record<string, unknown>>;
  for (const name in texts) {
    const surrogate = findLoneSurrogate(String(texts[name]));
    if (surrogate !== undefined) faults.push(malformedText(`/query/${escapePointer(name)}`, surrogate));
  }
  return faults;
}

/**
 * Creates checks for values outside the contract's operations. A check throws `validation_error` with all faults. Schemas may
 * refer to the contract's. Pointers begin with `prefix`. Numbers in a query (prefix `/query`) are parsed in place.
 */
export function createValueChecks(
  compilations: Compilations,
): (
  schema: object,
  prefix: "" | "/query",
  findFaults?: (value: unknown) => readonly FieldFault[],
) => (value: unknown) => void {
  const ajv = compilations.later(() => createAjv(contractApi.schemas));
  return (schema, prefix, findFaults) => {
    const compiled = compilations.later(() => ajv().compile(schema));
    const read = createReader(prefix === "/query" ? schema : {});
    return (value) => {
      read(value);
      const validate = compiled();
      const found = validate(value) ? none : toFaults(validate, prefix);
      refuse(findFaults === undefined ? found : joinFaults(found, findFaults(value)));
    };
  };
}

type Properties = Readonly<Record<string, { readonly type?: unknown }>>;

/** Parses integers in a path or query. Accepts only digits; Ajv would also accept 1e3, 0x10 and " 1", and round. */
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

/** Marks an undecodable text: half a surrogate pair, which decoding never returns and validation refuses. */
const UNDECODABLE = "\udcff";
/** Bounds the time for decoding. Thousands of undecodable texts fit into a query, and one suffices to refuse it. */
const MOST_UNDECODABLE = 10;

/**
 * Parses a URL's query. If the escapes of a name or value are not UTF-8, it is marked for refusal, not dropped or repaired.
 * After ten such texts the others are left undecoded.
 */
export function parseQuery(query: string): ParsedUrlQuery {
  let undecodable = 0;

  function decodeStrictly(text: string): string {
    if (undecodable === MOST_UNDECODABLE) return text;
    try {
      return decodeURIComponent(text);
    } catch {
      undecodable += 1;
      return UNDECODABLE;
    }
  }

  // 0 means unlimited: the size of a request's head already limits the number of keys
  return parse(query, "&", "=", { maxKeys: 0, decodeURIComponent: decodeStrictly });
}
