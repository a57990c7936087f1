// Schemas as rows of a table. Nested fields are named by their path: `sipUsers[].email`.
import { type Contract, referencedName, resolve, type Schema } from "../../model.ts";
import { code } from "../markdown.ts";

type Schemas = Pick<Contract, "schemas">;

/** Rows of path, type with its limits, and meaning; `isRequest` marks required fields. */
export function fieldRows(contract: Schemas, schema: Schema, isRequest: boolean): string[][] {
  return rowsOf(contract, schema, { prefix: "", isRequest, within: [] });
}

interface Place {
  prefix: string;
  isRequest: boolean;
  /** Components that enclose the field, so that a recursive one is written once. */
  within: readonly (string | undefined)[];
}

function rowsOf(contract: Schemas, schema: Schema, place: Place): string[][] {
  const { properties = {}, required = [] } = resolve(contract, schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${place.prefix}${name}`;
    const mark = place.isRequest && required.includes(name) ? " (required)" : "";
    const row = [`${code(path)}${mark}`, describeType(contract, field), meaningOf(contract, field)];
    return [row, ...innerRows(contract, field, path, place)];
  });
}

function innerRows(contract: Schemas, field: Schema, path: string, place: Place): string[][] {
  const schema = unwrap(contract, field);
  const item = schema.items === undefined ? undefined : unwrap(contract, schema.items);
  const inner = item ?? schema;
  const name = referencedName(schema.items ?? unwrapReference(field));
  if (inner.properties === undefined || (name !== undefined && place.within.includes(name))) return [];
  const prefix = item === undefined ? `${path}.` : `${path}[].`;
  return rowsOf(contract, inner, { ...place, prefix, within: [...place.within, name] });
}

/** The only alternative other than null, or else the schema itself. */
function unwrapReference(schema: Schema): Schema {
  const choices = (schema.anyOf ?? schema.oneOf ?? []).filter(({ type }) => type !== "null");
  return choices.length === 1 && choices[0] !== undefined ? choices[0] : schema;
}

function unwrap(contract: Schemas, schema: Schema): Schema {
  return resolve(contract, unwrapReference(schema));
}

function meaningOf(contract: Schemas, field: Schema): string {
  const [choice] = field.anyOf ?? field.oneOf ?? [];
  return field.description ?? resolve(contract, choice ?? field).description ?? "";
}

/** A schema's type, values and limits in a few words. */
export function describeType(contract: Schemas, schema: Schema): string {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return describeChoices(contract, choices);
  const resolved = resolve(contract, schema);
  if (resolved.anyOf !== undefined || resolved.oneOf !== undefined) return describeType(contract, resolved);
  if (resolved.enum !== undefined) return resolved.enum.map((value) => code(String(value))).join(", ");
  if (resolved.const !== undefined) return code(String(resolved.const));
  if (resolved.items !== undefined) {
    const list = `list of ${describeType(contract, resolved.items)}`;
    return [list, ...limitsOf(resolved)].join("; ");
  }
  return [typeOf(resolved), ...limitsOf(resolved)].join("; ");
}

/** Describes alternatives: an open enum says so; null is named last. */
function describeChoices(contract: Schemas, choices: readonly Schema[]): string {
  const isOpen = choices.some((choice) => resolve(contract, choice).enum !== undefined);
  return choices
    .map((choice) => (isOpen && choice.type === "string" ? "others later" : describeType(contract, choice)))
    .join(" or ");
}

function typeOf({ type, format }: Schema): string {
  const types = [type ?? "any"].flat().map((name) => (name === "string" ? "text" : name));
  return `${types.join(" or ")}${format === undefined ? "" : ` (${format})`}`;
}

function limitsOf(schema: Schema): string[] {
  return [
    range(schema.minLength, schema.maxLength, "characters"),
    range(schema.minItems, schema.maxItems, "entries"),
    range(schema.minimum, schema.maximum, ""),
    schema.exclusiveMinimum === undefined ? undefined : `more than ${schema.exclusiveMinimum}`,
    schema.default === undefined ? undefined : `default ${code(JSON.stringify(schema.default))}`,
  ].filter((limit) => limit !== undefined);
}

function range(least: number | undefined, most: number | undefined, unit: string): string | undefined {
  const after = unit === "" ? "" : ` ${unit}`;
  if (least !== undefined && most !== undefined) return `${least} to ${most}${after}`;
  if (least !== undefined) return `at least ${least}${after}`;
  return most === undefined ? undefined : `at most ${most}${after}`;
}
