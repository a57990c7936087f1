// Converts a validator's errors to faults of requests. The text of a fault states the expected value and the received one.

import { IDEMPOTENCY_KEY_MAX_LENGTH } from "@msgctl/contract/constants";
import type { ErrorObject, ValidateFunction } from "ajv";
import type { FieldFault } from "../../domain/refusal.ts";
import { characterAt, countCharacters, showText } from "../../domain/unicode.ts";

/** A longer received value is cut off at this length. */
const SHOWN_CHARACTERS = 60;

/** A fault without its pointer. Its text is built on demand, because of thousands of faults only a hundred are reported. */
interface Description {
  readonly code: string;
  readonly detail: () => string;
}

type Describe = (error: ErrorObject) => Description;

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
  required: () => ({ code: "required", detail: () => "Required, and missing." }),
  additionalProperties: () => ({
    code: "unknown_field",
    detail: () => "Not a field of this request. Check its spelling, or leave it out.",
  }),
  type: ({ params, data }) => ({
    code: "wrong_type",
    detail: () => {
      // "a number" would not help a caller who sent one with a fraction
      const isNumber = typeOf(data) === "number";
      const received = params.type === "integer" && isNumber ? show(data) : nameType(typeOf(data));
      return `Expected ${nameType(params.type)}; received ${received}.`;
    },
  }),
  enum: ({ params, data }) => ({
    code: "not_allowed",
    detail: () => `Expected one of ${(params.allowedValues as unknown[]).join(", ")}; received ${show(data)}.`,
  }),
  pattern: ({ params, data }) =>
    forbiddenCharacter(params.pattern as string, String(data)) ?? {
      code: "wrong_pattern",
      detail: () => `Expected text that matches ${params.pattern}; received ${show(data)}.`,
    },
  minLength: ({ params }) => ({
    code: "too_short",
    detail: () => `Expected at least ${count(params.limit, "character")}.`,
  }),
  maxLength: ({ params, data }) => ({
    code: "too_long",
    detail: () => `Expected at most ${count(params.limit, "character")}; received ${countCharacters(String(data))}.`,
  }),
  minItems: ({ params }) => ({ code: "too_few", detail: () => `Expected at least ${count(params.limit, "item")}.` }),
  maxItems: ({ params, data }) => ({
    code: "too_many",
    detail: () => `Expected at most ${count(params.limit, "item")}; received ${(data as unknown[]).length}.`,
  }),
  oneOf: ({ schema, data }) => {
    const types = (schema as { type?: string }[]).map(({ type }) => type);
    const detail = () => `Expected ${nameType(types)} within its limits; received ${show(data)}.`;
    return { code: "wrong_type", detail };
  },
  uniqueItems: () => ({ code: "duplicate", detail: () => "Expected items that differ from each other." }),
  minimum: ({ params, data }) => ({
    code: "out_of_range",
    detail: () => `Expected ${params.limit} or more; received ${show(data)}.`,
  }),
  maximum: ({ params, data }) => ({
    code: "out_of_range",
    detail: () => `Expected ${params.limit} or less; received ${show(data)}.`,
  }),
  format: ({ params, data }) => describeFormat(params.format as string, data),
};

/** Joins two lists of faults; those in `found` take precedence over `others` at the same pointer. */
export function joinFaults(found: readonly FieldFault[], others: readonly FieldFault[]): readonly FieldFault[] {
  if (found.length === 0) return others;
  if (others.length === 0) return found;
  const pointers = new Set(found.map(({ pointer }) => pointer));
  const news = others.filter(({ pointer }) => !pointers.has(pointer));
  return news.length === 0 ? found : [...found, ...news];
}

/**
 * Converts a validator's errors to faults. A failed `oneOf` reports each branch and then itself; only the last is kept.
 * If several faults have the same code and pointer (a phone number's pattern and format), the first is kept.
 */
export function toFaults({ errors }: ValidateFunction, prefix: string): FieldFault[] {
  const faults = new Map<string, FieldFault>();
  for (const error of errors ?? []) {
    if (error.schemaPath.includes("/oneOf/") || error.schemaPath.includes("/anyOf/")) continue;
    const fault = describeFault(error, prefix);
    const key = `${fault.code} ${fault.pointer}`;
    if (!faults.has(key)) faults.set(key, fault);
  }
  return [...faults.values()];
}

/** Describes a validator's error: the allowed value, and the received one. */
export function describeFault(error: ErrorObject, prefix: string): FieldFault {
  const pointer = prefix + error.instancePath + namedMember(error);
  return new DescribedFault(
    pointer,
    describeOfFormat(error) ?? keywordFaults[error.keyword]?.(error) ?? describeOther(error),
  );
}

class DescribedFault implements FieldFault {
  readonly pointer: string;
  readonly code: string;
  readonly #describe: () => string;

  constructor(pointer: string, { code, detail }: Description) {
    this.pointer = pointer;
    this.code = code;
    this.#describe = detail;
  }

  get detail(): string {
    return this.#describe();
  }
}

/** Describes the fault of a format that has its own description, whichever keyword found the fault. */
function describeOfFormat({ keyword, parentSchema, data }: ErrorObject): Description | undefined {
  const { format = "", $id } = parentSchema as { format?: string; $id?: string };
  if (format === "e164" && (keyword === "pattern" || keyword === "maxLength")) {
    const detail = () => `Expected an E.164 phone number such as +12025550100; received ${show(data)}.`;
    return { code: "invalid_phone_number", detail };
  }
  if (keyword === "maxLength" && ["email", "iana-timezone", "date"].includes(format))
    return describeFormat(format, data);
  // a key in the body is described like one in the header
  if ($id !== "IdempotencyKey" || keyword === "type") return undefined;
  const detail = () =>
    `Expected 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} printable ASCII characters; received ${show(data)}.`;
  return { code: "idempotency_key_invalid", detail };
}

function describeFormat(name: string, data: unknown): Description {
  const { code, expected } = formatFaults[name] ?? { code: "wrong_format", expected: `a value of format ${name}` };
  return { code, detail: () => `Expected ${expected}; received ${show(data)}.` };
}

function describeOther({ message, keyword }: ErrorObject): Description {
  return { code: "invalid", detail: () => `Does not match the contract: ${message ?? keyword}.` };
}

/** Escapes a name in a JSON pointer (RFC 6901, section 3). */
export function escapePointer(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

const AS_WRITTEN = "a number as written";

/** Returns the JSON of an object that stands in for a number. It is always a fault, which shows the number as written. */
export function markAsWritten(number: string): string {
  return JSON.stringify({ [AS_WRITTEN]: number });
}

/** Describes a text that contains half a surrogate pair. `half` is its JSON escape. */
export function malformedText(pointer: string, half: string): FieldFault {
  const detail = () =>
    `Expected well-formed Unicode; received ${half}, half of a surrogate pair without its other half.`;
  return new DescribedFault(pointer, { code: "invalid_characters", detail });
}

/** Describes the fault of a text whose pattern excludes characters, such as `^[^\x00]*$`; undefined for other patterns. */
function forbiddenCharacter(pattern: string, text: string): Description | undefined {
  const [, forbidden] = /^\^\[\^([^\]]+)\]\*\$$/.exec(pattern) ?? [];
  const [character] = (forbidden !== undefined && new RegExp(`[${forbidden}]`, "u").exec(text)) || [];
  if (character === undefined) return undefined;
  const detail = () => {
    const { name, position } = characterAt(text, text.indexOf(character));
    return `Expected text without ${name}; received it as character ${position}.`;
  };
  return { code: "invalid_characters", detail };
}

/** Returns the pointer of a missing or unknown member relative to its parent, at which the validator reports the fault. */
function namedMember({ keyword, params }: ErrorObject): string {
  if (keyword === "required") return `/${escapePointer(params.missingProperty as string)}`;
  if (keyword === "additionalProperties") return `/${escapePointer(params.additionalProperty as string)}`;
  return "";
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (writtenNumber(value) !== undefined) return "number";
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

function writtenNumber(value: unknown): string | undefined {
  const { [AS_WRITTEN]: number } = Object(value) as { readonly [AS_WRITTEN]?: unknown };
  return typeof number === "string" ? number : undefined;
}

function show(value: unknown): string {
  const written = writtenNumber(value);
  if (written !== undefined) return showText(written, SHOWN_CHARACTERS);
  // shows only the type, because JSON.stringify fails for an array nested a million levels deep
  if (typeof value === "object") return nameType(typeOf(value));
  if (typeof value === "number" && !Number.isFinite(value)) return "a number larger than any double";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(showText(value, SHOWN_CHARACTERS));
}

function count(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? "" : "s"}`;
}
