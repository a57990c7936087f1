/** Converts the texts of a command line to a request, and reports all wrong and missing values at once. */
import type { Fault } from "../../failures/errors.ts";
import { wordAmong } from "../../failures/similar.ts";
import { formatInputName } from "../../flags/input-name.ts";
import { parseValue } from "../../flags/value.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import type { RawValues, RequestParts } from "../../model/request.ts";
import { shellWord } from "../../process/shell-word.ts";

export interface ReadRequest {
  request: RequestParts;
  wrong: Fault[];
  missing: Fault[];
}

/** Checks the values against the record, and puts each into its place in the request. */
export function readRequest(record: OperationRecord, values: RawValues): ReadRequest {
  const hasBody = record.inputs.some((input) => input.in === "body");
  const request: RequestParts = {
    path: {},
    query: {},
    headers: {},
    body: hasBody ? {} : record.body && { ...record.body },
  };
  const wrong: Fault[] = [];
  for (const input of record.inputs) {
    const raw = values.get(input.name);
    if (raw === undefined) continue;
    const { value, faults } = readInput(
      withFormat(input, record, (name) => values.get(name)),
      raw,
    );
    wrong.push(...faults);
    if (faults.length === 0) place(request, input, value);
  }
  return { request, wrong, missing: findMissing(record, (name) => values.has(name)) };
}

/** An input whose format has been determined from the value of another input. */
export interface FormedInput extends Input {
  /** Why it has this format: `, because channel is SMS`. */
  reason?: string;
}

export function withFormat(
  input: Input,
  { inputs }: Pick<OperationRecord, "inputs">,
  readValue: (name: string) => unknown,
): FormedInput {
  const { formatBy } = input;
  const other = inputs.find(({ name }) => name === formatBy?.input);
  if (formatBy === undefined || other === undefined) return input;
  const word = wordAmong(String(readValue(other.name)), Object.keys(formatBy.formats));
  const format = word === undefined ? undefined : formatBy.formats[word];
  return format === undefined ? input : { ...input, format, reason: `, because ${other.path.join(".")} is ${word}` };
}

function readInput(input: FormedInput, raw: string | boolean | readonly string[]): { value: unknown; faults: Fault[] } {
  if (typeof raw === "boolean") return { value: raw, faults: [] };
  const texts = typeof raw === "string" ? [raw] : raw;
  const faults: Fault[] = [];
  const parsed = texts.map((text) => {
    const result = parseValue(input, text);
    if (result.ok) return result.value;
    const expected = oneByOne(input, text) ?? result.expected;
    const message = `received ${quoted(input, text)}; expected ${expected}${input.reason ?? ""}`;
    faults.push({ where: formatInputName(input), message });
    return undefined;
  });
  if (input.repeatable) faults.push(...countFaults(input, texts.length, formatInputName(input)));
  return { value: input.repeatable ? parsed : parsed[0], faults };
}

const MOST_REPEATED = 5;

/** Advice on passing comma-separated values to a repeatable flag; undefined for any other text. */
function oneByOne(input: Input, text: string): string | undefined {
  const texts = text.split(",").map((part) => part.trim());
  if (!input.repeatable || texts.length < 2 || !texts.every((part) => parseValue(input, part).ok)) return undefined;
  const words = texts.slice(0, MOST_REPEATED).map((part) => `${formatInputName(input)} ${shellWord(part)}`);
  return `one value each time: ${words.join(" ")}${texts.length > MOST_REPEATED ? " and so on" : ""}`;
}

/** Returns a fault if a repeatable input has too few or too many values. */
export function countFaults(
  { minItems = 0, maxItems = Number.POSITIVE_INFINITY }: Input,
  count: number,
  where: string,
) {
  const fault = (expected: string) => [{ where, message: `received ${count} values; expected ${expected}` }];
  if (count < minItems) return fault(`at least ${minItems}`);
  return count > maxItems ? fault(`at most ${maxItems}`) : [];
}

const LONGEST_QUOTE = 60;

/** Formats a rejected value for messages: truncated if long, hidden if secret. */
export function quoted({ secret }: Input, value: unknown): string {
  if (secret) return "a value that is not shown";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const short = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
  return typeof value === "string" ? JSON.stringify(short) : short;
}

/** Puts a value into the part of the request that its input names. */
export function place(request: RequestParts, input: Input, value: unknown): void {
  const [name = "", ...rest] = input.path;
  if (input.in === "header") request.headers[name] = String(value);
  else if (input.in !== "body") request[input.in][name] = value;
  else if (request.body !== undefined) placeInside(request.body, name, rest, value);
}

function placeInside(target: Record<string, unknown>, name: string, rest: readonly string[], value: unknown): void {
  const [next, ...further] = rest;
  if (next === undefined) {
    target[name] = value;
    return;
  }
  const nested = target[name];
  const object = typeof nested === "object" && nested !== null ? (nested as Record<string, unknown>) : {};
  target[name] = object;
  placeInside(object, next, further, value);
}

/** Returns a fault for each required value that is not given. */
export function findMissing(record: OperationRecord, isGiven: (name: string) => boolean): Fault[] {
  const missing = record.inputs.filter((input) => input.required && !isGiven(input.name));
  const faults = missing.map((input) => ({
    where: formatInputName(input),
    message: `missing: ${firstSentence(input)}`,
  }));
  const sets = record.anyOf ?? [];
  if (sets.length === 0 || sets.some((set) => set.every(isGiven))) return faults;
  const where = sets.map((set) => set.map((name) => `--${name}`).join(" with ")).join(" or ");
  return [...faults, { where, message: "missing: at least one of them is needed" }];
}

function firstSentence({ description }: Input): string {
  return description.split(/(?<=[.!?])\s/, 1)[0]?.replace(/\s+/g, " ") ?? "";
}
