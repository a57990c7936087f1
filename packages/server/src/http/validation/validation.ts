// Validates a request against its document: path, query, header and body together, with all faults at once.

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type CountedFaults, type FieldFault, refuseFaults } from "../../rules/refusal.ts";
import { findLoneSurrogate } from "../../rules/unicode.ts";
import type { AnyInput } from "../../steps/operation.ts";
import { type Api, contractApi } from "../api.ts";
import type { BodyTraits, TakeStep } from "../bodies/body.ts";
import { escapePointer } from "../bodies/json-outline.ts";
import type { Compilations } from "./compilations.ts";
import { joinFaults, toFaults } from "./fault-lists.ts";
import { malformedText } from "./faults.ts";
import { addFormats } from "./formats.ts";
import { Inspection } from "./inspection.ts";
import { findItemFaults, withFirstItems } from "./long-lists.ts";

export interface RequestParts {
  readonly path: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Throws `validation_error`, or the more specific code that all faults share; for a long body rejects with it, after
 * letting other requests run in between. Numbers in path and query are parsed in place.
 */
export type RequestValidator = (parts: RequestParts, traits?: BodyTraits | null) => void | Promise<void>;

type Place = keyof RequestParts;
type Check = readonly [place: Place, prefix: string, validate: ValidateFunction];

/** Creates the validators of an API's operations, which share their schemas. */
export function createRequestValidators<Id extends string>(
  { operations, schemas, parameterSchemas }: Api<Id>,
  compilations: Compilations,
): (operationId: Id, findFaults?: (input: AnyInput) => readonly FieldFault[]) => RequestValidator {
  const ajv = compilations.later(() => createAjv(schemas));

  function compile(operationId: Id): Check[] {
    const { bodySchema } = operations[operationId];
    const checks: Check[] = [];
    for (const place of ["path", "query"] as const) {
      const schema = parameterSchemas[operationId][place];
      if (schema !== undefined) checks.push([place, `/${place}`, ajv().compile(schema)]);
    }
    if (bodySchema !== null) checks.push(["body", "", compileBody(ajv(), bodySchema)]);
    return checks;
  }

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

    /** First finds what exceeds its limits, then validates the rest without it. */
    function validateClosely(parts: RequestParts, malformed: readonly FieldFault[], traits: BodyTraits) {
      const inspection = new Inspection(traits);
      const inspected = { ...parts, body: inspection.inspect(bodySchema, parts.body, "") };
      const { longLists, others } = inspection;
      const found = withFirstItems(longLists, () => findSchemaFaults(inspected));
      const faults = joinFaults([...malformed, ...inspection.takeFaults()], found);
      return { faults: joinFaults(faults, findFaults(inspected)), others, longLists };
    }

    async function validateInSteps(
      inStep: TakeStep,
      traits: BodyTraits,
      look: () => ReturnType<typeof validateClosely>,
    ) {
      const { faults, others, longLists } = await inStep(look);
      const ofItems = await findItemFaults(longLists, others, { ...traits, inStep }, (items) => ajv().compile(items));
      refuse([...faults, ...ofItems], others);
    }

    return (parts, traits) => {
      const malformed = takesAnyQuery ? none : findMalformed(parts.query);
      readPath(parts.path);
      readQuery(parts.query);
      if (traits) {
        const look = () => validateClosely(parts, malformed, traits);
        if (traits.inStep !== undefined) return validateInSteps(traits.inStep, traits, look);
        const { faults, others } = look();
        return refuse(faults, others);
      }
      const faults = findSchemaFaults(parts);
      return refuse(joinFaults(malformed === none ? faults : joinFaults(malformed, faults), findFaults(parts)));
    };
  };
}

const none: readonly FieldFault[] = [];

function refuse(faults: readonly FieldFault[], others?: CountedFaults): void {
  if (faults.length > 0) throw refuseFaults(faults, others);
}

/** Finds texts in a query that could not be decoded; see parseQuery. */
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
 * Creates checks of values outside the contract's operations; a schema may refer to the contract's. Pointers begin with
 * `prefix`; numbers in a query (`/query`) are parsed in place.
 */
export function createValueChecks(
  compilations: Compilations,
): (schema: object, prefix: "" | "/query", findFaults?: (value: unknown) => readonly FieldFault[]) => ValueCheck {
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

/** Parses integers in a path or query, digits only: Ajv would also accept 1e3, 0x10 and " 1", and round. */
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

function createAjv(schemas: Api["schemas"]): Ajv2020 {
  const ajv = new Ajv2020({
    coerceTypes: false,
    allErrors: true,
    removeAdditional: false,
    useDefaults: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    // the contract's tests check the schemas against the meta-schema, which takes 40 ms to compile
    meta: false,
    validateSchema: false,
  });
  addFormats(ajv);
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  return ajv;
}

function compileBody(ajv: Ajv2020, name: string): ValidateFunction {
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`the document has no schema ${name}`);
  return validate;
}
