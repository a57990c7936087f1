/** The whole body: the file, the flags over it, every --set over both; then each value checked as its record says. */
import type { Fault } from "../errors.ts";
import { isObject } from "../output/fields.ts";
import type { Input, OperationRecord } from "../record.ts";
import { countFaults, findMissing, quoted, type RawValues, type ReadRequest, readRequest, spoken } from "../request.ts";
import { didYouMean } from "../similar.ts";
import { parseValue } from "../value.ts";
import { assign, inputAlong } from "./assign.ts";
import type { Assignment, GivenBody } from "./given-body.ts";

/** Reads the values of a line as readRequest does, with what `given` adds to the body. */
export function completeBody(record: OperationRecord, values: RawValues, given: GivenBody): ReadRequest {
  const { request, wrong } = readRequest(record, values);
  if (request.body === undefined) return { request, wrong: [...wrong, ...given.faults], missing: [] };
  const inputs = record.inputs.filter((input) => input.in === "body");
  const body: Record<string, unknown> = structuredClone({ ...given.document });
  mergeInto(body, request.body);
  const faults = [...given.faults];
  for (const assignment of given.assignments) faults.push(...apply(assignment, body, inputs));
  faults.push(...checkObject(body, [], { inputs, values, given, record }));
  const isGiven = (name: string) => {
    const input = record.inputs.find((candidate) => candidate.name === name);
    return values.has(name) || (input?.in === "body" && valueAt(body, input.path) !== undefined);
  };
  // What a file that cannot be used would have given is not known to be missing.
  const missing = given.faults.length > 0 ? [] : findMissing(record, isGiven);
  return { request: { ...request, body }, wrong: [...wrong, ...faults], missing };
}

function mergeInto(target: Record<string, unknown>, source: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(source)) {
    const present = Object.hasOwn(target, name) ? target[name] : undefined;
    if (isObject(value) && isObject(present)) mergeInto(present as Record<string, unknown>, value);
    else target[name] = value;
  }
}

function apply(assignment: Assignment, body: Record<string, unknown>, inputs: readonly Input[]): Fault[] {
  const { path, steps } = assignment;
  const input = inputAlong(inputs, steps);
  const where = `--set ${path}`;
  if (input === undefined) return [{ where, message: unknownField(path, inputs) }];
  if (input.secret) {
    return [
      { where, message: `is a secret, which other users could read on the command line; give it by ${spoken(input)}` },
    ];
  }
  const message = assign(body, assignment, input);
  return message === undefined ? [] : [{ where, message }];
}

interface Check {
  inputs: readonly Input[];
  values: RawValues;
  given: GivenBody;
  record: OperationRecord;
}

function checkObject(object: Readonly<Record<string, unknown>>, way: readonly string[], check: Check): Fault[] {
  return Object.entries(object).flatMap(([name, value]) => checkField(value, [...way, name], check));
}

function checkField(value: unknown, path: readonly string[], check: Check): Fault[] {
  const input = inputAlong(check.inputs, path);
  if (input === undefined) return [{ where: `--body-file ${path.join(".")}`, message: adviceFor(path, check) }];
  const where = originOf(path, input, check);
  // A flag's value was checked as it was read.
  if (where === undefined) return [];
  if (input.path.length === path.length) return checkInput(input, value, where);
  if (isObject(value)) return checkObject(value, path, check);
  return [{ where, message: `received ${quoted(input, value)}; expected a JSON object` }];
}

/** What put the value there; undefined for a flag. */
function originOf(path: readonly string[], input: Input, { values, given }: Check): string | undefined {
  const assignment = given.assignments.findLast(({ steps }) => {
    const shared = Math.min(steps.length, path.length);
    return steps.slice(0, shared).every((step, index) => step === path[index]);
  });
  if (assignment !== undefined) return `--set ${assignment.path}`;
  return path.length === input.path.length && values.has(input.name) ? undefined : `--body-file ${path.join(".")}`;
}

function checkInput(input: Input, value: unknown, where: string): Fault[] {
  if (!input.repeatable) return checkValue(input, value, where);
  if (!Array.isArray(value)) {
    return [{ where, message: `received ${quoted(input, value)}; expected a JSON list, such as ["a", "b"]` }];
  }
  const faults = value.flatMap((element, index) => checkValue(input, element, `${where} (value ${index + 1})`));
  return [...faults, ...countFaults(input, value.length, where)];
}

function checkValue(input: Input, value: unknown, where: string): Fault[] {
  if (input.type === "json") return [];
  const isOfType = TYPES[input.type](value);
  const result = isOfType ? parseValue(input, String(value)) : undefined;
  if (result?.ok) return [];
  const expected =
    result?.expected ?? (input.enum === undefined ? MEANINGS[input.type] : `one of ${input.enum.join(", ")}`);
  return [{ where, message: `received ${quoted(input, value)}; expected ${expected}` }];
}

const isNumber = (value: unknown) => typeof value === "number";
const isText = (value: unknown) => typeof value === "string";
const TYPES = {
  string: isText,
  integer: isNumber,
  number: isNumber,
  boolean: (value: unknown) => typeof value === "boolean",
  // A number that is not exact was rounded when the file was read.
  "integer-or-string": (value: unknown) => isText(value) || Number.isSafeInteger(value),
};
const MEANINGS = {
  string: "text",
  integer: "an integer",
  number: "a number",
  boolean: "true or false",
  "integer-or-string": "an integer of at most 15 digits, or text",
};

/** The contract knows this field, but the tool has a flag for it. */
function adviceFor(path: readonly string[], { inputs, record }: Check): string {
  const isKey = record.idempotent && path.join(".") === "idempotencyKey";
  return isKey ? "is given with --idempotency-key" : unknownField(path.join("."), inputs);
}

function unknownField(path: string, inputs: readonly Input[]): string {
  const known = inputs.map((input) => input.path.join("."));
  return `there is no such field${didYouMean(path, known) || `; expected ${known.join(", ")}`}`;
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
}
