import { listed, received } from "../faults.ts";
import { referencedName, type Schema } from "../model.ts";
import { type Entry, isRecord } from "./source.ts";

const TYPES = ["string", "integer", "number", "boolean", "object", "array", "null"];

/** The formats that msgd checks. A value with a misspelt format would not be checked, and `int64` determines a type. */
const FORMATS = [
  ...["int32", "int64", "double", "date", "date-time"],
  ...["uri", "uri-reference", "email", "e164", "iana-timezone"],
];

type Check = (entry: Entry) => void;

const text: Check = (entry) => void entry.text();
const anything: Check = () => {};
const flag: Check = (entry) => must(entry, typeof entry.value === "boolean", "true or false");
const number: Check = (entry) => must(entry, typeof entry.value === "number", "a number");
const count: Check = (entry) =>
  must(entry, Number.isInteger(entry.value) && Number(entry.value) >= 0, "an integer of 0 or more");
const list: Check = (entry) =>
  must(entry, Array.isArray(entry.value) && entry.value.length > 0, "a list with at least one value");
const schemaList: Check = (entry) => {
  list(entry);
  for (const item of entry.items()) checkSchema(item);
};

/** The name of the root element, for tools that read a reply in XML by its schema. */
const xml: Check = (entry) => {
  for (const member of entry.entries()) {
    must(member, member.key === "name", "left out, because only the name of xml is read", member.key);
    member.text();
  }
};

/** Every keyword that a schema may have. Others (`if`, `prefixItems`, `nullable`) are unreadable for some of our tools. */
const KEYWORDS: Record<string, Check> = {
  $ref: (entry) => {
    const name = referencedName({ $ref: entry.text() });
    must(entry, name !== undefined && !name.includes("/"), "a reference to a schema, #/components/schemas/<Name>");
  },
  type: (entry) => {
    const types: unknown[] = Array.isArray(entry.value) ? entry.value : [entry.value];
    for (const type of types) must(entry, TYPES.includes(String(type)), listed(TYPES), type);
  },
  format: (entry) => must(entry, FORMATS.includes(String(entry.value)), listed(FORMATS)),
  title: text,
  description: text,
  default: anything,
  const: anything,
  enum: list,
  examples: list,
  pattern: (entry) => {
    try {
      new RegExp(entry.text(), "u");
    } catch (error) {
      entry.fault(`pattern is not a regular expression: ${error instanceof Error ? error.message : error}.`);
    }
  },
  minLength: count,
  maxLength: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  items: checkSchema,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  properties: (entry) => {
    for (const property of entry.entries()) checkSchema(property);
  },
  required: list,
  additionalProperties: (entry) => {
    if (typeof entry.value !== "boolean") checkSchema(entry);
  },
  minProperties: count,
  maxProperties: count,
  anyOf: schemaList,
  oneOf: schemaList,
  allOf: schemaList,
  readOnly: flag,
  writeOnly: flag,
  deprecated: flag,
  xml,
  "x-secret": flag,
  "x-contact": flag,
  "x-format-by": (entry) => {
    entry.at("field").text();
    const formats = entry.at("formats").entries();
    must(entry, formats.length > 0, "{ field, formats }");
    for (const format of formats) must(format, FORMATS.includes(String(format.value)), listed(FORMATS));
  },
};

/** Checks a schema with everything inside it, and returns it as the model's type. */
export function readSchema(entry: Entry): Schema {
  checkSchema(entry);
  // checkSchema has reported every value that is not a Schema, in which case readContract throws.
  return (isRecord(entry.value) ? entry.value : {}) as Schema;
}

function checkSchema(entry: Entry): void {
  if (!isRecord(entry.value)) {
    entry.fault(`${entry.key} must be a schema, not ${received(entry.value)}.`);
    return;
  }
  for (const keyword of entry.entries()) {
    const check = Object.hasOwn(KEYWORDS, keyword.key) ? KEYWORDS[keyword.key] : undefined;
    if (check === undefined) {
      keyword.fault(
        `${keyword.key} is not a schema keyword this project reads. Allowed: ${Object.keys(KEYWORDS).join(", ")}.`,
      );
    } else check(keyword);
  }
  checkRequired(entry);
}

/** Requires that `required` names only `properties`. Without `properties`, as in an `anyOf`, it refers to the outer schema. */
function checkRequired(entry: Entry): void {
  const properties = entry.at("properties").value;
  if (!isRecord(properties)) return;
  for (const name of entry.at("required").items()) {
    if (!Object.hasOwn(properties, String(name.value)))
      name.fault(`required names ${received(name.value)}, which is not among the properties.`);
  }
  for (const property of entry.at("properties").entries()) {
    const other = property.at("x-format-by").at("field");
    if (other.exists && !Object.hasOwn(properties, String(other.value)))
      other.fault(`x-format-by names ${received(other.value)}, which is not among the properties.`);
  }
}

function must(entry: Entry, holds: boolean, allowed: string, value = entry.value): void {
  if (!holds) entry.fault(`${entry.key} must be ${allowed}, not ${received(value)}.`);
}

/** Reads `components.schemas`. */
export function readSchemas(root: Entry): Record<string, Schema> {
  const components = root.at("components").at("schemas").entries();
  for (const component of components) checkWords(component);
  return Object.fromEntries(components.map((entry) => [entry.key, readSchema(entry)]));
}

/** Requires a description of each field, or of its component: it documents the flag and the member of a type. */
function checkWords(component: Entry): void {
  for (const field of component.at("properties").entries()) {
    if (!field.at("description").exists && !field.resolve().at("description").exists)
      field.fault(`${field.key} has no description.`);
  }
}
