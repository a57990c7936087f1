// A schema as fields: each with its type and limits in words, and the fields inside it.
import { alternatives, type Contract, referencedName, resolve, type Schema } from "../../model.ts";
import type { Field } from "./page.ts";

type Schemas = Pick<Contract, "schemas">;

/**
 * The fields of an object, or of a list's entries.
 *
 * @param within the components that enclose the fields; a recursive component is shown once
 */
export function fieldsOf(contract: Schemas, schema: Schema, within: readonly string[] = []): Field[] {
  const name = referencedName(schema);
  if (name !== undefined && within.includes(name)) return [];
  const inner = name === undefined ? within : [...within, name];
  const resolved = resolve(contract, schema);
  const { items, properties, required = [] } = resolved;
  if (items !== undefined) return fieldsOf(contract, items, inner);
  if (properties === undefined) return alternatives(resolved).flatMap((choice) => fieldsOf(contract, choice, inner));
  return Object.entries(properties).map(([property, field]) =>
    fieldOf(contract, { name: property, isRequired: required.includes(property), schema: field }, inner),
  );
}

/** A field or a parameter. */
export function fieldOf(
  contract: Schemas,
  { name, isRequired, schema }: { name: string; isRequired: boolean; schema: Schema },
  within: readonly string[] = [],
): Field {
  const parts = partsOf(contract, schema);
  const values = parts.flatMap(({ enum: all, const: only }) => all ?? [only]);
  const known = values.filter((value) => value !== undefined && value !== null).map(String);
  // Alternatives that allow any text. If known values exist, the limits of free text are left out.
  const free = parts.filter((part) => part.enum === undefined && typesOf(part).includes("string"));
  const limited = known.length === 0 ? parts : parts.filter((part) => !free.includes(part));
  const pattern = parts.map((part) => part.pattern).find((text) => text !== undefined);
  return {
    name,
    isRequired,
    type: typeInWords(contract, schema),
    isList: parts.some(({ items }) => items !== undefined),
    limits: [...new Set(limited.flatMap(limitsInWords))],
    ...(pattern !== undefined && { pattern }),
    values: [...new Set(known)],
    isOpen: known.length > 0 && free.some(({ const: only }) => only === undefined),
    isSecret: parts.some((part) => part["x-secret"]),
    description: parts.map(({ description }) => description).find((text) => text !== undefined) ?? "",
    fields: fieldsOf(contract, schema, within),
  };
}

/** Every schema that describes the value, outermost first: itself, its alternatives, a list's entries. */
function partsOf(contract: Schemas, schema: Schema): Schema[] {
  const own = resolve(contract, schema);
  const entries = own.items === undefined ? [] : partsOf(contract, own.items);
  return [
    own,
    ...alternatives(own).flatMap((choice) => partsOf(contract, choice)),
    // a list does not inherit its entries' description and default
    ...entries.map(({ description: _, default: _default, ...entry }) => entry),
  ];
}

function typesOf({ type }: Schema): string[] {
  return [type ?? []].flat();
}

const TYPES: Readonly<Record<string, string>> = { string: "text", integer: "whole number" };

/** A type in words, with `or null` at the end. */
export function typeInWords(contract: Schemas, schema: Schema): string {
  const types = new Set(typeNames(contract, schema));
  const isNullable = types.delete("null");
  return [...(types.size === 0 ? ["any value"] : types), ...(isNullable ? ["null"] : [])].join(" or ");
}

function typeNames(contract: Schemas, schema: Schema): string[] {
  const own = resolve(contract, schema);
  if (own.items !== undefined) {
    const entry = typeInWords(contract, own.items);
    const isPlain = !/^list| or |^any value$/.test(entry);
    return [`list of ${entry}${isPlain ? "s" : ""}`, ...typesOf(own).filter((type) => type === "null")];
  }
  const names = typesOf(own).map((type) => TYPES[type] ?? type);
  return names.length > 0 ? names : alternatives(own).flatMap((choice) => typeNames(contract, choice));
}

function limitsInWords(schema: Schema): string[] {
  const { format, exclusiveMinimum, exclusiveMaximum, multipleOf, uniqueItems, default: fallback } = schema;
  return [
    ...(format === undefined ? [] : [`format ${format}`]),
    ...range(schema.minLength, schema.maxLength, "character"),
    ...range(schema.minItems, schema.maxItems, "entry"),
    ...range(schema.minProperties, schema.maxProperties, "field"),
    ...range(schema.minimum, schema.maximum),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${exclusiveMinimum}`]),
    ...(exclusiveMaximum === undefined ? [] : [`less than ${exclusiveMaximum}`]),
    ...(multipleOf === undefined ? [] : [`a multiple of ${multipleOf}`]),
    ...(uniqueItems ? ["unique entries"] : []),
    ...(fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`]),
  ];
}

function range(least: number | undefined, most: number | undefined, unit?: string): string[] {
  const counted = (count: number) => (unit === undefined ? String(count) : counting(count, unit));
  if (least !== undefined && most !== undefined)
    return [least === most ? counted(least) : `${least} to ${counted(most)}`];
  if (least !== undefined) return [`at least ${counted(least)}`];
  return most === undefined ? [] : [`at most ${counted(most)}`];
}

/** `1 entry`, `2 entries`. */
export function counting(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`.replace(/ys$/, "ies")}`;
}
