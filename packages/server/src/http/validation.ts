// Holds a request against the contract: path, query, header and body together, and all faults at once.

import { setImmediate } from "node:timers/promises";
import { type OperationId, operations } from "@msgctl/contract";
import { parameterSchemas, schemas } from "@msgctl/contract/schemas";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { AnyInput } from "../operations/operation.ts";
import { type FieldFault, refuseFaults } from "../operations/refusal.ts";
import { findLoneSurrogate } from "../rules/unicode.ts";
import type { BodyTraits } from "./body.ts";
import type { Compilations } from "./compilations.ts";
import { describeFault, malformedText } from "./faults.ts";
import { addFormats } from "./formats.ts";
import { inspectBody, type LongList } from "./inspection.ts";
import { escapePointer } from "./json-outline.ts";
import { Turns } from "./turns.ts";

export interface RequestParts {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Throws `validation_error`, or the more specific code that all faults share; for a long body rejects with it, having
 * let other requests in between. Numbers in path and query are read in place.
 */
export type RequestValidator = (
  parts: RequestParts,
  traits?: BodyTraits | null,
  tenantId?: number,
) => void | Promise<void>;

type Place = keyof RequestParts;
type Check = readonly [place: Place, prefix: string, validate: ValidateFunction];

/** How long the items of a long list are validated before other requests have their turn. */
const TURN_MS = 5;

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

  const turns = new Turns();
  return (operationId, findFaults = () => none) => {
    const checks = compilations.later(() => compile(operationId));
    const { path = {}, query = {} } = parameterSchemas[operationId];
    const takesAnyQuery = parameterSchemas[operationId].query === undefined;
    const [readPath, readQuery] = [createReader(path), createReader(query)];
    const bodySchema = { $ref: `${operations[operationId].bodySchema}#` };

    function findSchemaFaults(parts: RequestParts): readonly FieldFault[] {
      let faults: readonly FieldFault[] = none;
      for (const [place, prefix, validate] of checks()) {
        if (!validate(parts[place])) faults = [...faults, ...toFaults(validate, prefix)];
      }
      return faults;
    }

    /** What is too much is found first, and the rest validated without it. */
    function validateClosely(parts: RequestParts, malformed: readonly FieldFault[], traits: BodyTraits) {
      const { value, faults, longLists } = inspectBody(bodySchema, parts.body, traits);
      const inspected = { ...parts, body: value };
      const found = withFirstItems(longLists, () => findSchemaFaults(inspected));
      return { faults: join(join([...malformed, ...faults], found), findFaults(inspected)), longLists };
    }

    async function validateInTurns(parts: RequestParts, malformed: readonly FieldFault[], traits: BodyTraits) {
      await setImmediate();
      const { faults, longLists } = validateClosely(parts, malformed, traits);
      await setImmediate();
      refuse(join(faults, await findItemFaults(longLists, (items) => ajv().compile(items))));
    }

    return (parts, traits, tenantId) => {
      const malformed = takesAnyQuery ? none : findMalformed(parts.query);
      readPath(parts.path);
      readQuery(parts.query);
      if (traits) {
        if (traits.isLong) return turns.take(() => validateInTurns(parts, malformed, traits), tenantId);
        return refuse(validateClosely(parts, malformed, traits).faults);
      }
      const faults = findSchemaFaults(parts);
      return refuse(join(malformed === none ? faults : join(malformed, faults), findFaults(parts)));
    };
  };
}

const none: readonly FieldFault[] = [];

function refuse(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw refuseFaults(faults);
}

/** Has the schema see of each long list its first item only; the others are validated in turns. */
function withFirstItems<T>(longLists: readonly LongList[], validate: () => T): T {
  for (const { owner, name, values } of longLists) owner[name] = values.slice(0, 1);
  try {
    return validate();
  } finally {
    for (const { owner, name, values } of longLists) owner[name] = values;
  }
}

/** The faults of all items but the first of each list. */
async function findItemFaults(
  longLists: readonly LongList[],
  compile: (items: object) => ValidateFunction,
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  let turnEndsAt = performance.now() + TURN_MS;
  for (const { pointer, values, items } of longLists) {
    const validate = compile(items);
    for (let index = 1; index < values.length; index++) {
      if (!validate(values[index])) faults.push(...toFaults(validate, `${pointer}/${index}`));
      if (performance.now() < turnEndsAt) continue;
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
  }
  return faults;
}

/** Texts of a query that no character encoding gives: see parseQuery. */
function findMalformed(query: unknown): readonly FieldFault[] {
  const faults: FieldFault[] = [];
  const texts = query as Readonly<Record<string, unknown>>;
  for (const name in texts) {
    const surrogate = findLoneSurrogate(String(texts[name]));
    if (surrogate !== undefined) faults.push(malformedText(`/query/${escapePointer(name)}`, surrogate));
  }
  return faults;
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
      const found = validate(value) ? none : toFaults(validate, prefix);
      refuse(findFaults === undefined ? found : join(found, findFaults(value)));
    };
  };
}

/** What was found of a place first goes before what else is wrong there. */
function join(found: readonly FieldFault[], others: readonly FieldFault[]): readonly FieldFault[] {
  if (found.length === 0) return others;
  if (others.length === 0) return found;
  const places = new Set(found.map(({ pointer }) => pointer));
  const news = others.filter(({ pointer }) => !places.has(pointer));
  return news.length === 0 ? found : [...found, ...news];
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
