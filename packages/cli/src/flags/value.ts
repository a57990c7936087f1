/** Parses a text from the command line into a value that the input's record allows, or describes what is expected. */

import { didYouMean, wordAmong } from "../failures/similar.ts";
import type { Input } from "../model/record.ts";
import { describePattern, findFormat } from "./formats.ts";

export type Parsed = { ok: true; value: unknown } | { ok: false; expected: string };

const expected = (text: string): Parsed => ({ ok: false, expected: text });

/** Checks a value against all constraints of its record. A word of an enum may be typed in any case. */
export function parseValue(input: Input, text: string): Parsed {
  if (input.enum !== undefined) return parseEnum(input.enum, text);
  switch (input.type) {
    case "integer":
      return parseInteger(input, text);
    case "number":
      return parseNumber(input, text);
    case "boolean":
      // spreadsheets write TRUE and FALSE
      return /^(?:true|false)$/i.test(text)
        ? { ok: true, value: text.toLowerCase() === "true" }
        : expected("true or false");
    case "integer-or-string":
      // If a number cannot hold the integer exactly, send it as text.
      return /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text))
        ? parseInteger(input, text)
        : parseText(input, text);
    case "json":
      return parseJson(text);
    case "string":
      return parseText(input, text);
  }
}

function parseEnum(allowed: readonly string[], text: string): Parsed {
  const word = wordAmong(text, allowed);
  if (word !== undefined) return { ok: true, value: word };
  return expected(expectedWords(allowed, text));
}

/** Describes the expected words for a text that is none of them. */
export function expectedWords(allowed: readonly string[], text: string): string {
  return `${allowed.length === 1 ? "" : "one of "}${allowed.join(", ")}${didYouMean(text, allowed)}`;
}

/** The range for int64 inputs: the service refuses integers that a JSON number cannot hold exactly. */
const EXACT = { lowest: Number.MIN_SAFE_INTEGER, highest: Number.MAX_SAFE_INTEGER };
const INT32 = { lowest: -(2 ** 31), highest: 2 ** 31 - 1 };

function parseInteger({ format, minimum, maximum }: Input, text: string): Parsed {
  const { lowest, highest } = format === "int32" ? INT32 : EXACT;
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  const fits = value >= Math.max(lowest, minimum ?? lowest) && value <= Math.min(highest, maximum ?? highest);
  if (fits) return { ok: true, value };
  // Mention the limits of the format only if the value exceeds them.
  return expected(
    `an integer${range(minimum ?? (value < lowest ? lowest : undefined), maximum ?? (value > highest ? highest : undefined))}`,
  );
}

function parseNumber(input: Input, text: string): Parsed {
  const value = Number(text);
  const isNumber = text.trim() !== "" && Number.isFinite(value);
  const fits = value >= (input.minimum ?? value) && value <= (input.maximum ?? value);
  return isNumber && fits ? { ok: true, value } : expected(`a number${range(input.minimum, input.maximum)}`);
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return expected('JSON, such as {"name": "value"}');
  }
}

/** Matches a long number in the form that a spreadsheet saves: `1.20255E+10`, `1,2E+10`. */
const SHORTENED = /^[+-]?\d+(?:[.,]\d+)?E\+?\d+$/i;
const SHORTENED_CURE =
  "; a spreadsheet has shortened this number: format its column as text, and paste the numbers again";

function parseText(input: Input, text: string): Parsed {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, example } = input;
  // JSON Schema counts code points, not UTF-16 code units.
  const length = text.length > maxLength || text.length < minLength * 2 ? Array.from(text).length : text.length;
  if (length < minLength) return expected(minLength === 1 ? "some text" : `at least ${minLength} characters`);
  if (length > maxLength) return expected(`at most ${maxLength} characters, not ${length}`);
  const format = findFormat(input.format);
  const isAllowed = (pattern === undefined || new RegExp(pattern, "u").test(text)) && (format?.accepts(text) ?? true);
  if (isAllowed) return { ok: true, value: text };
  const meaning = format?.meaning ?? describePattern(pattern ?? "").meaning;
  const close = format === undefined ? suggest(text, pattern) : undefined;
  if (close !== undefined) return expected(`${meaning}; try ${JSON.stringify(close)}`);
  const sample = example ?? format?.sample;
  const such = sample === undefined ? "" : `, such as ${sample}`;
  const cause = input.format === "e164" && SHORTENED.test(text) ? SHORTENED_CURE : "";
  return expected(`${meaning}${such}${cause}`);
}

/** Suggests a text that matches the pattern for one that does not; undefined if there is no suggestion. */
function suggest(text: string, pattern = ""): string | undefined {
  const close = describePattern(pattern).suggest?.(text);
  return close !== undefined && new RegExp(pattern, "u").test(close) ? close : undefined;
}
