// The first look at a body that may be large or hostile, by the contract's schema: what is unknown, too long or too many
// is found by its size alone, and left out of what is validated. So no part of a body costs more than its bounds allow.

import { schemas } from "@msgctl/contract/schemas";
import type { FieldFault } from "../operations/refusal.ts";
import { countCharacters, findLoneSurrogate } from "../rules/unicode.ts";
import type { BodyTraits } from "./body.ts";
import { describeExcess, malformedText, unknownField, wrongNumber } from "./faults.ts";
import { escapePointer } from "./json-outline.ts";

/** What this file reads of a JSON Schema. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: unknown;
  readonly oneOf?: readonly SchemaNode[];
}

/** A list whose items are to be validated a few at a time. */
export interface LongList {
  readonly owner: Record<string, unknown>;
  readonly name: string;
  readonly pointer: string;
  readonly values: readonly unknown[];
  readonly items: SchemaNode;
}

export interface Inspection {
  readonly faults: readonly FieldFault[];
  /** The body itself, or where something is too large or unknown, a copy with what is within bounds of it. */
  readonly value: unknown;
  readonly longLists: readonly LongList[];
}

/** A list with more items is long: 500 phone numbers take libphonenumber 5 ms at worst. */
const LONG_LIST = 500;

/** Holds the sizes and texts of a body against its schema. */
export function inspectBody(schema: SchemaNode, body: unknown, { lostFractions }: BodyTraits): Inspection {
  const faults: FieldFault[] = [];
  const longLists: LongList[] = [];

  function inspect(asked: SchemaNode, value: unknown, pointer: string): unknown {
    const schema = schemaFor(asked, value);
    if (typeof value === "string") return inspectText(schema, value, pointer);
    if (typeof value === "number") {
      const written = lostFractions.get(pointer);
      if (written !== undefined && schema.type === "integer") faults.push(wrongNumber(pointer, written));
      return value;
    }
    if (Array.isArray(value)) return inspectList(schema, value, pointer);
    return typeof value === "object" && value !== null && schema.properties !== undefined
      ? inspectObject(schema, schema.properties, value as Record<string, unknown>, pointer)
      : value;
  }

  function inspectText(schema: SchemaNode, text: string, pointer: string): string {
    const { maxLength: limit = Number.POSITIVE_INFINITY } = schema;
    // UTF-16 units are counted at once, characters are not
    if (text.length > limit && countCharacters(text) > limit) {
      faults.push(describeExcess("maxLength", { value: text, limit, schema, pointer }));
      return text.slice(0, limit);
    }
    const surrogate = findLoneSurrogate(text);
    if (surrogate !== undefined) faults.push(malformedText(pointer, surrogate));
    return text;
  }

  function inspectList(schema: SchemaNode, values: unknown[], pointer: string): unknown[] {
    const { items, maxItems: limit = Number.POSITIVE_INFINITY } = schema;
    if (values.length > limit) {
      faults.push(describeExcess("maxItems", { value: values, limit, schema, pointer }));
      return [];
    }
    if (items === undefined) return values;
    const inspected = values.map((value, index) => inspect(items, value, `${pointer}/${index}`));
    return inspected.every((value, index) => value === values[index]) ? values : inspected;
  }

  function inspectObject(
    { additionalProperties }: SchemaNode,
    properties: Readonly<Record<string, SchemaNode>>,
    object: Record<string, unknown>,
    pointer: string,
  ): Record<string, unknown> {
    const known: Record<string, unknown> = {};
    let isSame = true;
    for (const name in object) {
      const value = object[name];
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const place = `${pointer}/${escapePointer(name)}`;
      if (property === undefined) {
        if (additionalProperties !== false) continue;
        faults.push(unknownField(place));
        isSame = false;
        continue;
      }
      known[name] = inspect(property, value, place);
      if (known[name] !== value) isSame = false;
    }
    const owner = isSame ? object : known;
    for (const [name, values] of Object.entries(known)) {
      const { items, uniqueItems } = schemaFor(properties[name] ?? {}, values);
      if (!Array.isArray(values) || values.length <= LONG_LIST || items === undefined || uniqueItems === true) continue;
      longLists.push({ owner, name, pointer: `${pointer}/${name}`, values, items });
    }
    return owner;
  }

  return { value: inspect(schema, body, ""), faults, longLists };
}

/** What a reference stands for; of alternatives, the one of the value's type. */
function schemaFor(asked: SchemaNode, value: unknown): SchemaNode {
  const schema = asked.$ref === undefined ? asked : componentOf(asked.$ref);
  const type = typeof value === "number" ? "integer" : typeof value;
  return schema.oneOf?.find((alternative) => alternative.type === type) ?? schema;
}

function componentOf(reference: string): SchemaNode {
  return (schemas as Readonly<Record<string, SchemaNode>>)[reference.slice(0, -"#".length)] ?? {};
}
