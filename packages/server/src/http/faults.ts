import type { ErrorObject } from "ajv";
import type { FieldFault } from "../operations/refusal.ts";

/** How long a received value may be before only its start is shown. */
const SHOWN_CHARACTERS = 60;

type Describe = (error: ErrorObject) => { code: string; detail: string };

const formatFaults: Readonly<Record<string, { code: string; expected: string }>> = {
  e164: {
    code: "invalid_phone_number",
    expected: "a phone number that exists in its country's plan, such as +12025550100",
  },
  email: { code: "invalid_email", expected: "an email address such as ada@example.com, at most 254 characters" },
  "iana-timezone": { code: "invalid_timezone", expected: "an IANA time zone such as America/New_York" },
  date: { code: "invalid_date_range", expected: "a date that exists, as YYYY-MM-DD" },
  int64: { code: "out_of_range", expected: "a whole number between -9007199254740991 and 9007199254740991" },
  int32: { code: "out_of_range", expected: "a whole number between -2147483648 and 2147483647" },
  uri: { code: "invalid_uri", expected: "an absolute URI" },
};

const keywordFaults: Readonly<Record<string, Describe>> = {
  required: () => ({ code: "required", detail: "Required, and missing." }),
  additionalProperties: () => ({
    code: "unknown_field",
    detail: "Not a field of this request. Check its spelling, or leave it out.",
  }),
  type: ({ params, data }) => ({
    code: "wrong_type",
    detail: `Expected ${nameType(params.type)}; received ${nameType(typeOf(data))}.`,
  }),
  enum: ({ params, data }) => ({
    code: "not_allowed",
    detail: `Expected one of ${(params.allowedValues as unknown[]).join(", ")}; received ${show(data)}.`,
  }),
  pattern: ({ params, data }) => ({
    code: "wrong_pattern",
    detail: `Expected text that matches ${params.pattern}; received ${show(data)}.`,
  }),
  minLength: ({ params }) => ({ code: "too_short", detail: `Expected at least ${count(params.limit, "character")}.` }),
  maxLength: ({ params, data }) => ({
    code: "too_long",
    detail: `Expected at most ${count(params.limit, "character")}; received ${[...String(data)].length}.`,
  }),
  minItems: ({ params }) => ({ code: "too_few", detail: `Expected at least ${count(params.limit, "item")}.` }),
  maxItems: ({ params, data }) => ({
    code: "too_many",
    detail: `Expected at most ${count(params.limit, "item")}; received ${(data as unknown[]).length}.`,
  }),
  oneOf: ({ schema, data }) => {
    const types = (schema as { type?: string }[]).map(({ type }) => type);
    return { code: "wrong_type", detail: `Expected ${nameType(types)} within its limits; received ${show(data)}.` };
  },
  uniqueItems: () => ({ code: "duplicate", detail: "Expected items that differ from each other." }),
  minimum: ({ params, data }) => ({
    code: "out_of_range",
    detail: `Expected ${params.limit} or more; received ${show(data)}.`,
  }),
  maximum: ({ params, data }) => ({
    code: "out_of_range",
    detail: `Expected ${params.limit} or less; received ${show(data)}.`,
  }),
  format: ({ params, data }) => {
    const format = formatFaults[params.format as string];
    const expected = format?.expected ?? `a value of format ${params.format}`;
    return { code: format?.code ?? "wrong_format", detail: `Expected ${expected}; received ${show(data)}.` };
  },
};

/** Says in words what a validator found: what is allowed, and what was received. */
export function describeFault(error: ErrorObject, prefix: string): FieldFault {
  const describe = keywordFaults[error.keyword];
  const described = describe?.(error) ?? {
    code: "invalid",
    detail: `Not as the contract has it: ${error.message ?? error.keyword}.`,
  };
  const pointer = prefix + error.instancePath + namedMember(error);
  // a pattern on a phone number says the same as its format, in harder words
  if (error.keyword === "pattern" && isPhoneNumber(error)) {
    return {
      pointer,
      code: "invalid_phone_number",
      detail: `Expected an E.164 phone number such as +12025550100; received ${show(error.data)}.`,
    };
  }
  if (error.keyword !== "type" && isIdempotencyKey(error)) {
    const detail = `Expected 1 to 255 printable ASCII characters; received ${show(error.data)}.`;
    return { pointer, code: "idempotency_key_invalid", detail };
  }
  return { pointer, ...described };
}

/** In the body it is told as it is in the header. */
function isIdempotencyKey(error: ErrorObject): boolean {
  return (error.parentSchema as { $id?: string } | undefined)?.$id === "IdempotencyKey";
}

function isPhoneNumber(error: ErrorObject): boolean {
  return (error.parentSchema as { format?: string } | undefined)?.format === "e164";
}

/** The member that is missing or too much, which the validator reports at its parent. */
function namedMember({ keyword, params }: ErrorObject): string {
  if (keyword === "required") return `/${escapePointer(params.missingProperty as string)}`;
  if (keyword === "additionalProperties") return `/${escapePointer(params.additionalProperty as string)}`;
  return "";
}

/** RFC 6901. */
function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function nameType(type: unknown): string {
  const names: Record<string, string> = {
    string: "text",
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    array: "a list",
    object: "an object",
    null: "null",
  };
  return [type]
    .flat()
    .map((name) => names[String(name)] ?? String(name))
    .join(" or ");
}

function show(value: unknown): string {
  // its type says enough, and a list nested a million deep is more than JSON.stringify can write
  if (typeof value === "object") return nameType(typeOf(value));
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

function count(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? "" : "s"}`;
}
