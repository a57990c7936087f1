// A schema as the fields shown to readers: each with its type and limits in words, and its nested fields.

import { follow, type Node, toNode, toNodes, toText } from "./document.ts";

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  /** `text`, `list of objects`, `integer or null`. */
  readonly type: string;
  readonly limits: readonly string[];
  /** The regular expression that it matches. */
  readonly pattern: string | undefined;
  /** The known values; complete unless `isOpen`. */
  readonly values: readonly string[];
  /** Whether more values may be added to the contract. */
  readonly isOpen: boolean;
  readonly isSecret: boolean;
  readonly description: string | undefined;
  readonly fields: readonly Field[];
}

/** The components that enclose the field; a recursive one is shown once. */
type Within = readonly (string | undefined)[];

/** Lists the fields of an object, or of a list's entries. */
export function listFields(document: Node, value: Node, within: Within = []): Field[] {
  const { node, name } = follow(document, value);
  if (name !== undefined && within.includes(name)) return [];
  const inner = [...within, name];
  if (node.items !== undefined) return listFields(document, toNode(node.items), inner);
  const required = Array.isArray(node.required) ? node.required : [];
  const own = Object.entries(toNode(node.properties)).map(([property, schema]) =>
    readField(document, { name: property, isRequired: required.includes(property), schema: toNode(schema) }, inner),
  );
  return own.length > 0 ? own : choicesOf(node).flatMap((choice) => listFields(document, choice, inner));
}

/** Reads a field or a parameter. */
export function readField(
  document: Node,
  { name, isRequired, schema }: { name: string; isRequired: boolean; schema: Node },
  within: Within = [],
): Field {
  const parts = partsOf(document, schema);
  const values = parts.flatMap(({ enum: values, const: only }) => (Array.isArray(values) ? values : [only]));
  const known = values.filter((value) => value !== undefined && value !== null).map(String);
  const free = parts.filter((part) => part.enum === undefined && typesOf(part).includes("string"));
  return {
    name,
    isRequired,
    type: describeType(document, schema),
    limits: [...new Set(parts.filter((part) => known.length === 0 || !free.includes(part)).flatMap(limitsOf))],
    pattern: parts.map(({ pattern }) => toText(pattern)).find((pattern) => pattern !== undefined),
    values: [...new Set(known)],
    isOpen: known.length > 0 && free.some(({ const: only }) => only === undefined),
    isSecret: parts.some((part) => part["x-secret"] === true),
    description: parts.map(({ description }) => toText(description)).find((text) => text !== undefined),
    fields: listFields(document, schema, within),
  };
}

function choicesOf(schema: Node): Node[] {
  return toNodes(schema.oneOf ?? schema.anyOf);
}

/** Returns every schema that describes the value, outermost first: itself, what it refers to, and a list's entries. */
function partsOf(document: Node, schema: Node): Node[] {
  const { node } = follow(document, schema);
  const beside = node === schema ? [] : [schema];
  const items = node.items === undefined ? [] : partsOf(document, toNode(node.items)).map(withoutMeaning);
  return [...beside, node, ...choicesOf(node).flatMap((choice) => partsOf(document, choice)), ...items];
}

/** Removes an entry's description and default, which do not apply to the list. */
function withoutMeaning({ description: _, default: _default, ...schema }: Node): Node {
  return schema;
}

function typesOf({ type }: Node): string[] {
  return [type].flat().filter((name) => typeof name === "string");
}

const typeWords: Readonly<Record<string, string>> = { string: "text", number: "number", integer: "whole number" };

/** Returns the type in words, with `or null` at the end. */
export function describeType(document: Node, schema: Node): string {
  const types = new Set(namesOf(document, schema));
  const isNullable = types.delete("null");
  return [...(types.size === 0 ? ["any value"] : types), ...(isNullable ? ["null"] : [])].join(" or ");
}

function namesOf(document: Node, schema: Node): string[] {
  const { node } = follow(document, schema);
  if (node.items !== undefined) {
    const entries = describeType(document, toNode(node.items));
    return [`list of ${pluralOf(entries)}`, ...typesOf(node).filter((type) => type === "null")];
  }
  const own = typesOf(node).map((type) => typeWords[type] ?? type);
  return own.length > 0 ? own : choicesOf(node).flatMap((choice) => namesOf(document, choice));
}

function pluralOf(type: string): string {
  return type.includes(" or ") || type.startsWith("list") || type === "any value" ? type : `${type}s`;
}

function limitsOf(schema: Node): string[] {
  const { format, default: fallback, exclusiveMinimum, exclusiveMaximum, multipleOf, uniqueItems } = schema;
  return [
    format === undefined ? undefined : `format ${format}`,
    range(schema.minLength, schema.maxLength, " characters"),
    range(schema.minItems, schema.maxItems, " entries"),
    range(schema.minProperties, schema.maxProperties, " fields"),
    range(schema.minimum, schema.maximum, ""),
    exclusiveMinimum === undefined ? undefined : `more than ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? undefined : `less than ${exclusiveMaximum}`,
    multipleOf === undefined ? undefined : `a multiple of ${multipleOf}`,
    uniqueItems === true ? "no entry twice" : undefined,
    fallback === undefined ? undefined : `default ${JSON.stringify(fallback)}`,
  ].filter((limit) => limit !== undefined);
}

function range(least: unknown, most: unknown, unit: string): string | undefined {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? undefined : `at most ${most}${unit}`;
}

/** Lists sets of fields, at least one of which is required: `anyOf: [{ required: [a] }, { required: [b] }]`. */
export function listAlternatives(document: Node, schema: Node): string[][] {
  const sets = choicesOf(follow(document, schema).node);
  return sets.flatMap(({ required }) => (Array.isArray(required) ? [required.map(String)] : []));
}
