// Parses JSON bodies strictly: what would be repaired, rounded or altered on its way is refused or marked.

import { isUtf8 } from "node:buffer";
import { type FieldFault, Refusal } from "../../rules/refusal.ts";
import { findLoneSurrogate } from "../../rules/unicode.ts";
import { escapePointer, malformedText, markAsWritten } from "../validation/faults.ts";
import { bodyMissing, notUtf8 } from "./body-refusals.ts";

export interface ParsedBody {
  readonly value: unknown;
  /** The texts that are not well-formed Unicode. */
  readonly malformed: readonly FieldFault[];
}

/** The escape of half a surrogate pair. Only an escape can be one: UTF-8 cannot encode it. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
/** A number whose fraction may be lost in a double: one with 17 digits, as it holds 16, or with too small an exponent. */
const LOSING_NUMBER = /[\d.]{17}|[\d.][eE]-0*\d{3}/;
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
/** No text of the contract is further down. What contains a deeper one is refused. */
const DEEPEST_TEXT = 8;
const none: readonly FieldFault[] = [];

/** Throws the refusal of a body that is no JSON in UTF-8. A number whose fraction would be lost is marked as written. */
export function parseBody(bytes: Buffer): ParsedBody {
  if (bytes.length === 0) throw bodyMissing();
  if (!isUtf8(bytes)) throw notUtf8();
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

/** V8 quotes the text around the fault, which may be sensitive: keeps only the position. */
function withoutContent(message: string): string {
  const place = /position (\d+)/.exec(message);
  return place ? `fault at character ${place[1]}` : "it ends early or is no JSON at all";
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
