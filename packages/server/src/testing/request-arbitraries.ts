// Generates requests from the contract's schemas for property tests: valid requests, and requests with one fault.

import { type OperationId, operations } from "@msgctl/contract";
import { parameterSchemas, schemas } from "@msgctl/contract/schemas";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc, { type Arbitrary } from "fast-check";
import { addFormats } from "../http/validation/ajv.ts";

interface Schema {
  readonly $ref?: string;
  readonly $id?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

export interface GeneratedRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** JSON, or undefined. */
  readonly body: string | undefined;
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
addFormats(ajv);
for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);

/** Existing values for parameters and fields, by name, and how often they are chosen rather than generated ones. */
interface Known {
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  readonly weight: number;
}

/**
 * Generates requests that the operation's schemas allow. `values` has existing values for parameters and fields, which are
 * chosen `weight` times as often as generated ones.
 */
export function validRequest(
  operationId: OperationId,
  values: Readonly<Record<string, readonly unknown[]>>,
  weight = 4,
): Arbitrary<GeneratedRequest> {
  const { bodySchema } = operations[operationId];
  const known = { values, weight };
  return fc
    .record({
      path: part(operationId, "path", known),
      query: part(operationId, "query", known),
      body: bodyOf(bodySchema, known),
    })
    .map(({ path, query, body }) => toRequest(operationId, path, query, body));
}

/** Generates requests whose body violates the schema in one place; undefined for an operation without a body. */
export function invalidRequest(
  operationId: OperationId,
  values: Readonly<Record<string, readonly unknown[]>>,
): Arbitrary<GeneratedRequest> | undefined {
  const known = { values, weight: 4 };
  const { bodySchema } = operations[operationId];
  if (bodySchema === null) return undefined;
  const validate = validatorOf(bodySchema);
  return fc
    .record({ path: part(operationId, "path", known), body: bodyOf(bodySchema, known).chain((body) => damaged(body)) })
    .filter(({ body }) => body !== undefined && !validate(body))
    .map(({ path, body }) => toRequest(operationId, path, {}, body));
}

function toRequest(operationId: OperationId, path: unknown, query: unknown, body: unknown): GeneratedRequest {
  const { method, path: template } = operations[operationId];
  const filled = template.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String((path as Record<string, unknown>)[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query as object).map(([name, value]) => [name, String(value)]),
  ).toString();
  return {
    method,
    url: search === "" ? filled : `${filled}?${search}`,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

function part(operationId: OperationId, place: "path" | "query", known: Known) {
  const schema = parameterSchemas[operationId][place] as Schema | undefined;
  return schema === undefined ? fc.constant({}) : valuesOf(schema, known);
}

function bodyOf(name: string | null, known: Known): Arbitrary<unknown> {
  if (name === null) return fc.constant(undefined);
  const validate = validatorOf(name);
  return valuesOf({ $ref: `${name}#` }, known).filter((value) => validate(value));
}

function validatorOf(name: string): ValidateFunction {
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`the contract has no schema ${name}`);
  return validate;
}

function valuesOf(schema: Schema, known: Known, name = ""): Arbitrary<unknown> {
  if (schema.$ref !== undefined) {
    const target = (schemas as unknown as Record<string, Schema>)[schema.$ref.replace(/#$/, "")];
    if (target === undefined) throw new Error(`the contract has no schema ${schema.$ref}`);
    return valuesOf(target, known, name);
  }
  const free = freeValuesOf(schema, known);
  const values = known.values[name];
  return values === undefined ? free : fc.oneof({ weight: known.weight, arbitrary: fc.constantFrom(...values) }, free);
}

function freeValuesOf(schema: Schema, known: Known): Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return fc.oneof(...branches.map((branch) => valuesOf(branch, known)));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return fc.oneof(...types.map((type) => typedValuesOf({ ...schema, type }, known)));
}

function typedValuesOf(schema: Schema, known: Known): Arbitrary<unknown> {
  switch (schema.type) {
    case "string":
      return textOf(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "integer":
      return wholeNumberOf(schema);
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case "array": {
      const minLength = schema.minItems ?? 0;
      const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? 6, 6));
      return fc.array(valuesOf(schema.items ?? {}, known), { minLength, maxLength });
    }
    case "object":
      return objectOf(schema, known);
    default:
      throw new Error(`cannot generate values of type ${schema.type}`);
  }
}

function objectOf({ properties = {}, required = [] }: Schema, known: Known) {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, known, name)]),
  );
  return fc.record(members, { requiredKeys: [...required] });
}

function wholeNumberOf({ format, minimum, maximum }: Schema): Arbitrary<number> {
  const limit = format === "int32" ? 2_147_483_647 : Number.MAX_SAFE_INTEGER;
  const [min, max] = [minimum ?? -limit, maximum ?? limit];
  return fc.oneof(
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
    fc.integer({ min, max: Math.min(max, min + 1_000) }),
  );
}

const samples: Readonly<Record<string, readonly string[]>> = {
  e164: [
    "+12025550100",
    "+12025550103",
    "+12125550117",
    "+13125550120",
    "+14155550150",
    "+442079460000",
    "+14155550139",
  ],
  email: ["delivered@simulator.example", "timeout+1@simulator.example", "Ada.Lovelace@Example.COM", "x@bücher.example"],
  "iana-timezone": ["UTC", "America/New_York", "Asia/Kathmandu"],
  date: ["2026-01-01", "2026-01-15", "2024-02-29"],
  "date-time": ["2026-01-15T12:00:00.000Z"],
  uri: ["https://receiver.example/hook", "https://receiver.example/?a=%20"],
};
const hostileTexts = [
  "'; DROP TABLE messages;--",
  "<x>&amp;]]>",
  "a\r\nX-Evil: 1",
  "\u0000",
  "😀".repeat(5),
  "$" + "{jndi:x}",
  "../../etc",
];

function textOf({ format, pattern, minLength = 0, maxLength = 60 }: Schema): Arbitrary<string> {
  const known = format === undefined ? undefined : samples[format];
  if (known !== undefined) return fc.constantFrom(...known);
  if (pattern === undefined) {
    const text = fc.oneof(
      fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 60) }),
      fc.constantFrom(...hostileTexts),
    );
    return text.filter(({ length }) => length >= minLength && length <= maxLength);
  }
  const expression = new RegExp(pattern, "u");
  // the lookaheads in the contract's patterns exclude only a few of these texts of letters and digits
  return fc.stringMatching(/^[A-Za-z0-9]{1,20}$/).map((text) => {
    const candidates = [
      text,
      text.toUpperCase().slice(0, 2),
      "12025550100",
      "1",
      "10001",
      "CA",
      `https://${text}.example/`,
    ];
    return candidates.find((candidate) => expression.test(candidate)) ?? text;
  });
}

const wrongValues = [
  null,
  true,
  -1,
  1.5,
  2 ** 53,
  1e308,
  "",
  " ",
  "x".repeat(20_000),
  "\u0000",
  [],
  {},
  [null],
  { a: 1 },
];

/** Removes, adds or replaces one member, so that the value is probably invalid. */
function damaged(value: unknown): Arbitrary<unknown> {
  const wrong = fc.constantFrom<unknown>(...wrongValues);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return wrong;
  const names = Object.keys(value);
  const replaced = fc.tuple(fc.constantFrom(...names), wrong).map(([name, other]) => ({ ...value, [name]: other }));
  const removed = fc
    .constantFrom(...names)
    .map((name) => Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)));
  const added = fc
    .constantFrom("unknown", "__proto__", "constructor", "toString", "merchantid")
    .map((name) => JSON.parse(`{${JSON.stringify(name)}: 1, ${JSON.stringify(value).slice(1)}`));
  return fc.oneof({ weight: 6, arbitrary: replaced }, removed, added, wrong);
}
