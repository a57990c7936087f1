/** Checks each field of a JSON or YAML document against its record. */
import type { Fault } from "../../failures/errors.ts";
import { didYouMean } from "../../failures/similar.ts";
import { expectedWords, parseValue } from "../../flags/value.ts";
import type { Input } from "../../model/record.ts";
import { isObject, type JsonObject } from "../../output/fields.ts";
import { inputAlong } from "./assign.ts";
import { countFaults, type FormedInput, quoted } from "./request.ts";

/** The allowed fields, and functions that name a document's fields in messages. */
export interface BodyCheck {
  /** Body inputs only. */
  inputs: readonly Input[];
  /** Names the value at `path` for messages; undefined if the value was already checked. */
  nameOrigin(path: readonly string[], input: Input): string | undefined;
  /** Names an element of the list at `path`. `where` is the name of the list. */
  nameElement(where: string, index: number, path: readonly string[]): string;
  /** Creates the fault for a field that no input has. */
  unknown(path: readonly string[]): Fault;
}

/** Returns every fault in the fields of `object`. Does not report missing fields. */
export function checkFields(object: JsonObject, check: BodyCheck, way: readonly string[] = []): Fault[] {
  return Object.entries(object).flatMap(([name, value]) => checkField(value, [...way, name], check));
}

/** The message for a field that does not exist. */
export function unknownField(path: string, inputs: readonly Input[]): string {
  const known = inputs.map((input) => input.path.join("."));
  return `there is no such field${didYouMean(path, known) || `; expected ${known.join(", ")}`}`;
}

function checkField(value: unknown, path: readonly string[], check: BodyCheck): Fault[] {
  const input = inputAlong(check.inputs, path);
  if (input === undefined) return [check.unknown(path)];
  const where = check.nameOrigin(path, input);
  if (where === undefined) return [];
  if (input.path.length === path.length) return checkInput(input, value, { where, path, check });
  if (isObject(value)) return checkFields(value, check, path);
  return [{ where, message: `received ${quoted(input, value)}; expected a JSON object` }];
}

interface Place {
  where: string;
  path: readonly string[];
  check: BodyCheck;
}

function checkInput(input: Input, value: unknown, { where, path, check }: Place): Fault[] {
  if (!input.repeatable) return checkValue(input, value, where);
  if (!Array.isArray(value)) {
    return [{ where, message: `received ${quoted(input, value)}; expected a JSON list, such as ["a", "b"]` }];
  }
  const faults = value.flatMap((element, index) => checkValue(input, element, check.nameElement(where, index, path)));
  return [...faults, ...countFaults(input, value.length, where)];
}

function checkValue(input: FormedInput, value: unknown, where: string): Fault[] {
  if (input.type === "json") return [];
  const isOfType = TYPES[input.type](value);
  const result = isOfType ? parseValue(input, String(value)) : undefined;
  // a document is sent unchanged, so enum words must have the contract's exact spelling
  if (result?.ok && (input.enum === undefined || result.value === value)) return [];
  const expected =
    input.enum === undefined
      ? (result?.ok === false && result.expected) || MEANINGS[input.type]
      : expectedWords(input.enum, String(value));
  return [{ where, message: `received ${quoted(input, value)}; expected ${expected}${input.reason ?? ""}` }];
}

const isNumber = (value: unknown) => typeof value === "number";
const isText = (value: unknown) => typeof value === "string";
const TYPES = {
  string: isText,
  integer: isNumber,
  number: isNumber,
  boolean: (value: unknown) => typeof value === "boolean",
  // An unsafe integer may have been rounded when the file was parsed.
  "integer-or-string": (value: unknown) => isText(value) || Number.isSafeInteger(value),
};
const MEANINGS = {
  string: "text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  "integer-or-string": "an integer of at most 15 digits, or text",
};
