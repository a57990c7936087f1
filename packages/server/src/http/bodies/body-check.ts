// Parses and validates JSON bodies. The built server does this in a thread if a body is long (docs/decisions/0074).

import { isUtf8 } from "node:buffer";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { type FieldFault, listFaults, type OtherFaults, Refusal, refuseFaults } from "../../domain/refusal.ts";
import { findLoneSurrogate } from "../../domain/unicode.ts";
import { validatorOf } from "../validation/ajv.ts";
import { escapePointer, joinFaults, malformedText, markAsWritten, toFaults } from "../validation/faults.ts";

/** The size of the largest request body that is read. */
export const BODY_LIMIT_BYTES = 2 * 1024 * 1024;

/** Refuses a request whose required body is missing. */
export function bodyMissing(): Refusal {
  return new Refusal("malformed_json", "The body is empty. Send a JSON object.");
}

/** Pass undefined for a body without a Content-Length, of which only the bytes up to the limit were read. */
export function bodyTooLarge(announced: number | undefined): Refusal {
  const size = announced === undefined ? `more than ${BODY_LIMIT_BYTES}` : String(announced);
  return new Refusal("payload_too_large", `The body has ${size} bytes; the limit is ${BODY_LIMIT_BYTES} (2 MiB).`);
}

export function bodyCutOff(): Refusal {
  return new Refusal("malformed_json", "The body ended before the number of bytes that Content-Length announced.");
}

/** Matches the escape of a lone or paired surrogate. A lone one can occur only as an escape: UTF-8 cannot encode it. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
/** Matches numbers whose fraction a double may lose: numbers of 17 digits, or with a long exponent. */
const LOSING_NUMBER = /[\d.]{17}|[\d.][eE]-0*\d{3}/;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** The depth of the contract's deepest text. Validation refuses anything deeper. */
const DEEPEST_TEXT = 8;
const none: readonly FieldFault[] = [];

/**
 * Parses a body strictly: throws `malformed_json` if it is not JSON in UTF-8, and marks numbers whose fraction would be lost.
 * `malformed` has a fault for each text that is not well-formed Unicode.
 */
export function parseBody(bytes: Buffer): { readonly value: unknown; readonly malformed: readonly FieldFault[] } {
  if (bytes.length === 0) throw bodyMissing();
  if (!isUtf8(bytes)) throw new Refusal("malformed_json", "The body is not valid UTF-8.");
  const text = bytes.toString("utf8");
  let value = parseJson(text);
  if (hasNumber(value) && LOSING_NUMBER.test(text)) value = parseJson(text.replaceAll(TEXT_OR_NUMBER, keepFraction));
  const malformed = text.includes("\\u") && SURROGATE_ESCAPE.test(text) ? findMalformed(value, "", 0) : none;
  return { value, malformed };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? withoutContent(error.message) : "it ends early";
    throw new Refusal("malformed_json", `The body is not valid JSON: ${reason}.`);
  }
}

/** Keeps only the position of the fault: V8's message also quotes the text around it, which may be sensitive. */
function withoutContent(message: string): string {
  const position = /position (\d+)/.exec(message);
  return position ? `fault at character ${position[1]}` : "it ends early or is not JSON at all";
}

/** Returns whether a member is a number. The contract's integers are direct members of the body. */
function hasNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) if (typeof members[name] === "number") return true;
  return false;
}

/** Marks a number such as 9007199254740991.4, which JSON.parse rounds to an integer. */
function keepFraction(token: string): string {
  return token.startsWith('"') || !losesFraction(token) ? token : markAsWritten(token);
}

/** Returns whether the number has a fraction as written, but is an integer as a double. */
function losesFraction(token: string): boolean {
  if (!Number.isInteger(Number(token))) return false;
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(token) ?? [];
  const digits = whole + fraction;
  let last = digits.length;
  while (last > 0 && digits[last - 1] === "0") last -= 1;
  return last > 0 && last > whole.length + Number(exponent);
}

function findMalformed(value: unknown, pointer: string, depth: number): FieldFault[] {
  if (typeof value === "string") {
    const half = findLoneSurrogate(value);
    return half === undefined ? [] : [malformedText(pointer, half)];
  }
  if (typeof value !== "object" || value === null || depth === DEEPEST_TEXT) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    findMalformed(member, `${pointer}/${escapePointer(name)}`, depth + 1),
  );
}

/** The faults of a body that are known before the path and query are validated. */
export interface BodyFaults {
  /** Whether the body was validated, not only parsed. */
  readonly isValidated: boolean;
  readonly faults: readonly FieldFault[];
  /** The faults that exceed the number of faults in a problem. */
  readonly others?: OtherFaults;
}

/** The outcome of a check, in plain values that can cross between threads. */
export type BodyAnswer =
  | { readonly refused: Pick<Refusal, "code" | "message" | "extras"> }
  /** The value with its defaults. Faulty members are null. */
  | { readonly value: unknown; readonly found: BodyFaults };

/** Parses a tenant's body and validates it against the named schema; null accepts any body. */
export type BodyCheck = (
  schema: string | null,
  bytes: Uint8Array<ArrayBuffer>,
  tenantId: number,
) => BodyAnswer | Promise<BodyAnswer>;

/** Bounds the time and memory for parsing. The contract's largest body has 10 100 values. */
export const MOST_VALUES = 12_000;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_BRACKET, OPEN_BRACE] = [0x5b, 0x7b];

export function createBodyCheck(ajv: () => Ajv2020): (schema: string | null, bytes: Uint8Array) => BodyAnswer {
  return (schema, bytes) => {
    try {
      requireFewValues(bytes);
      const { value, malformed } = parseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      const validate = schema === null ? undefined : validatorOf(ajv(), schema);
      const isValid = validate === undefined || validate(value);
      const faults = isValid ? malformed : joinFaults(malformed, toFaults(validate, ""));
      if (faults.length === 0) return { value, found: { isValidated: true, faults } };
      const { errors = [], moreFaults = 0 } = listFaults(faults);
      const others = { count: moreFaults, codes: new Set(faults.map(({ code }) => code)) };
      return {
        value: withoutFaulty(value, faults, validate?.schema),
        found: { isValidated: true, faults: errors, others },
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, extras } = error;
      return { refused: { code, message, extras } };
    }
  };
}

/** Refuses a body with more values than the contract's largest body, before parsing allocates memory for them. */
function requireFewValues(bytes: Uint8Array): void {
  const values = countValues(bytes);
  if (values <= MOST_VALUES) return;
  const detail = `The body has ${values} array items and object members; the limit is ${MOST_VALUES}, which is more than any request needs.`;
  throw refuseFaults([{ pointer: "", code: "too_many", detail }]);
}

/** Counts array items and object members; an empty array or object counts as one. */
function countValues(bytes: Uint8Array): number {
  let count = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) count += 1;
  }
  return count;
}

/** Returns the members that the schema defines, with null for faulty ones. Later checks beyond the schema use these. */
function withoutFaulty(value: unknown, faults: readonly FieldFault[], schema: unknown): unknown {
  if (typeof value !== "object" || value === null) return null;
  const { properties = {} } = Object(schema) as { readonly properties?: object };
  const faulty = new Set(faults.map(({ pointer }) => pointer.split("/", 2)[1]));
  const members = Object.keys(properties).filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(
    members.map((name) => [name, faulty.has(name) ? null : (value as Record<string, unknown>)[name]]),
  );
}
