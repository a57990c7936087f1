/** Builds the whole body from the file, overridden by flags and --set. Then checks each value against its record. */
import type { Fault } from "../../failures/errors.ts";
import { formatInputName } from "../../flags/input-name.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import type { RawValues } from "../../model/request.ts";
import { isObject } from "../../output/fields.ts";
import { assign, inputAlong } from "./assign.ts";
import { type BodyCheck, checkFields, unknownField } from "./check-body.ts";
import type { Assignment, GivenBody } from "./given-body.ts";
import { findMissing, type ReadRequest, readRequest, withFormat } from "./request.ts";

/** Reads a line's values as readRequest does, and adds `given` to the body. */
export function completeBody(record: OperationRecord, values: RawValues, given: GivenBody): ReadRequest {
  const { request, wrong } = readRequest(record, values);
  if (request.body === undefined) return { request, wrong: [...wrong, ...given.faults], missing: [] };
  const inputs = record.inputs.filter((input) => input.in === "body");
  const body: Record<string, unknown> = structuredClone({ ...given.document });
  mergeInto(body, request.body);
  const faults = [...given.faults];
  for (const [place, assignment] of given.assignments.entries()) {
    const flags = inputs
      .filter((input) => values.has(input.name) && overlap(input.path, assignment.steps))
      .map(formatInputName);
    const before = given.assignments.slice(0, place).filter(({ steps }) => overlap(steps, assignment.steps));
    const [other] = [...flags, ...before.map(({ path }) => `--set ${path}`)];
    if (other === undefined) faults.push(...apply(assignment, body, inputs));
    else
      faults.push({ where: `--set ${assignment.path}`, message: `is also given by ${other}; give only one of them` });
  }
  const bodyValue = (name: string) => valueAt(body, inputs.find((input) => input.name === name)?.path ?? []);
  const formed = inputs.map((input) => withFormat(input, record, bodyValue));
  faults.push(...checkFields(body, naming({ inputs: formed, values, given, record })));
  const isGiven = (name: string) => {
    const input = record.inputs.find((candidate) => candidate.name === name);
    return values.has(name) || (input?.in === "body" && valueAt(body, input.path) !== undefined);
  };
  // If the file is unusable, report nothing as missing: the file may have it.
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

/** Whether one path is a prefix of the other. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  return one.slice(0, other.length).every((step, index) => step === other[index]);
}

function apply(assignment: Assignment, body: Record<string, unknown>, inputs: readonly Input[]): Fault[] {
  const { path, steps } = assignment;
  const input = inputAlong(inputs, steps);
  const where = `--set ${path}`;
  if (input === undefined) return [{ where, message: unknownField(path, inputs) }];
  if (input.secret) {
    return [
      {
        where,
        message: `is a secret, which other users could read on the command line; give it with ${formatInputName(input)}`,
      },
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

/** Returns the functions that name values from a file or a --set in messages. */
function naming(check: Check): BodyCheck {
  return {
    inputs: check.inputs,
    nameOrigin: (path, input) => findOrigin(path, input, check),
    nameElement: (where, index) => `${where} (value ${index + 1})`,
    unknown: (path) => ({ where: `--body-file ${path.join(".")}`, message: adviceFor(path, check) }),
  };
}

/** Names the source of a value; undefined for a flag, whose value was checked when it was read. */
function findOrigin(path: readonly string[], input: Input, { values, given }: Check): string | undefined {
  const assignment = given.assignments.find(({ steps }) => overlap(steps, path));
  if (assignment !== undefined) return `--set ${assignment.path}`;
  return path.length === input.path.length && values.has(input.name) ? undefined : `--body-file ${path.join(".")}`;
}

/** Advises on an unknown field. `idempotencyKey` is in the contract, but msgctl has a flag for it. */
function adviceFor(path: readonly string[], { inputs, record }: Check): string {
  const isKey = record.idempotent && path.join(".") === "idempotencyKey";
  return isKey ? "is given with --idempotency-key" : unknownField(path.join("."), inputs);
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
}
