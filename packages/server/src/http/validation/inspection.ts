// The first check of a body that may be large or hostile, against the contract's schema: whatever is unknown, too long
// or too many is detected by size alone and not validated, so that no part costs more than its limits allow.

import { schemas } from "@msgctl/contract/schemas";
import { CountedFaults, type FieldFault, MOST_FAULTS } from "../../rules/refusal.ts";
import { countCharacters, findLoneSurrogate } from "../../rules/unicode.ts";
import type { BodyTraits } from "../bodies/body.ts";
import { escapePointer } from "../bodies/json-outline.ts";
import { describeExcess, malformedText, unknownField, wrongNumber } from "./faults.ts";

/** The parts of a JSON Schema that this file uses. */
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

/** A list of which only the first item was inspected: the others are inspected and validated a few at a time. */
export interface LongList {
  readonly owner: Record<string, unknown>;
  readonly name: string;
  readonly pointer: string;
  readonly values: readonly unknown[];
  /** The first of them, as inspected. */
  readonly first: unknown;
  readonly items: SchemaNode;
}

/** A list with more items is long: 500 phone numbers take libphonenumber 5 ms at worst. */
const LONG_LIST = 500;

/** Checks the sizes and texts of values against their schemas. */
export class Inspection {
  readonly #lostFractions: BodyTraits["lostFractions"];
  readonly #mostItems: number;
  readonly #longLists: LongList[] = [];
  /** Unknown members beyond those that a problem reports. */
  readonly others = new CountedFaults();
  #faults: FieldFault[] = [];

  constructor({ inStep, lostFractions }: BodyTraits) {
    this.#lostFractions = lostFractions;
    // a body that is validated in one step has no long lists
    this.#mostItems = inStep === undefined ? Number.POSITIVE_INFINITY : LONG_LIST;
  }

  get longLists(): readonly LongList[] {
    return this.#longLists;
  }

  /** Returns the faults found since the last call. */
  takeFaults(): readonly FieldFault[] {
    const faults = this.#faults;
    if (faults.length > 0) this.#faults = [];
    return faults;
  }

  /**
   * Returns the value at `pointer` itself or, if something in it is too large or unknown, a copy reduced to what is
   * within bounds.
   */
  inspect(asked: SchemaNode, value: unknown, pointer: string): unknown {
    const schema = schemaFor(asked, value);
    if (typeof value === "string") return this.#inspectText(schema, value, pointer);
    if (typeof value === "number") {
      const written = this.#lostFractions.get(pointer);
      if (written !== undefined && schema.type === "integer") this.#faults.push(wrongNumber(pointer, written));
      return value;
    }
    if (Array.isArray(value)) return this.#inspectList(schema, value, pointer);
    return typeof value === "object" && value !== null && schema.properties !== undefined
      ? this.#inspectObject(schema, schema.properties, value as Record<string, unknown>, pointer)
      : value;
  }

  #inspectText(schema: SchemaNode, text: string, pointer: string): string {
    const { maxLength: limit = Number.POSITIVE_INFINITY } = schema;
    // counting UTF-16 units is immediate, counting characters is not
    if (text.length > limit && countCharacters(text) > limit) {
      this.#faults.push(describeExcess("maxLength", { value: text, limit, schema, pointer }));
      return text.slice(0, limit);
    }
    const surrogate = findLoneSurrogate(text);
    if (surrogate !== undefined) this.#faults.push(malformedText(pointer, surrogate));
    return text;
  }

  #inspectList(schema: SchemaNode, values: unknown[], pointer: string): unknown[] {
    const { items, maxItems: limit = Number.POSITIVE_INFINITY } = schema;
    if (values.length > limit) {
      this.#faults.push(describeExcess("maxItems", { value: values, limit, schema, pointer }));
      return [];
    }
    if (items === undefined) return values;
    const inspected = values.map((value, index) => this.inspect(items, value, `${pointer}/${index}`));
    return inspected.every((value, index) => value === values[index]) ? values : inspected;
  }

  #inspectObject(
    { additionalProperties }: SchemaNode,
    properties: Readonly<Record<string, SchemaNode>>,
    object: Record<string, unknown>,
    pointer: string,
  ): Record<string, unknown> {
    const known: Record<string, unknown> = {};
    const lists: Omit<LongList, "owner">[] = [];
    let isSame = true;
    for (const name in object) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property === undefined) {
        if (additionalProperties !== false) continue;
        this.#addUnknown(pointer, name);
        isSame = false;
        continue;
      }
      const value = object[name];
      const place = `${pointer}/${escapePointer(name)}`;
      const { items, maxItems, uniqueItems } = schemaFor(property, value);
      if (items !== undefined && uniqueItems !== true && this.#isLongList(value, maxItems)) {
        lists.push({ name, pointer: place, values: value, first: this.inspect(items, value[0], `${place}/0`), items });
        known[name] = value;
        continue;
      }
      known[name] = this.inspect(property, value, place);
      if (known[name] !== value) isSame = false;
    }
    const owner = isSame ? object : known;
    for (const list of lists) this.#longLists.push({ owner, ...list });
    return owner;
  }

  #addUnknown(pointer: string, name: string): void {
    if (this.#faults.length < MOST_FAULTS) this.#faults.push(unknownField(`${pointer}/${escapePointer(name)}`));
    else this.others.add("unknown_field");
  }

  /** A list with too many items does not count: it is refused as a whole. */
  #isLongList(value: unknown, maxItems = Number.POSITIVE_INFINITY): value is unknown[] {
    return Array.isArray(value) && value.length > this.#mostItems && value.length <= maxItems;
  }
}

/** Resolves a reference; of alternatives, returns the one for the value's type. */
function schemaFor(asked: SchemaNode, value: unknown): SchemaNode {
  const schema = asked.$ref === undefined ? asked : componentOf(asked.$ref);
  const type = typeof value === "number" ? "integer" : typeof value;
  return schema.oneOf?.find((alternative) => alternative.type === type) ?? schema;
}

function componentOf(reference: string): SchemaNode {
  return (schemas as Readonly<Record<string, SchemaNode>>)[reference.slice(0, -"#".length)] ?? {};
}
