// Converts the values of a form, which are strings, to a request. Pure functions.

import type { ContractField } from "./contract-form.ts";

/** Values by field name; empty ones are left out of the request. */
export type FieldValues = Readonly<Record<string, string>>;

export interface FieldRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if the operation has no body. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

type Fields = Record<string, unknown>;

/** Returns the values of a form for an example body. Required parameters get their own examples. */
export function valuesOf(fields: readonly ContractField[], body: unknown): FieldValues {
  const values = fields.map((field): [string, string] => {
    if (field.in !== "body") return [field.name, field.required ? (field.example ?? "") : ""];
    const value = field.path.reduce<unknown>((within, name) => (Object(within) as Fields)[name], body);
    return [field.name, [value ?? []].flat().map(toText).join("\n")];
  });
  return Object.fromEntries(values);
}

/**
 * Builds the request. If a value is not of its field's type, or a number that JavaScript would round, it is sent as text,
 * and the server validates it.
 */
export function toRequest(fields: readonly ContractField[], values: FieldValues): FieldRequest {
  const path: Record<string, string> = {};
  const query: Record<string, string | number | boolean> = {};
  const headers: Record<string, string> = {};
  const body: Fields = {};
  for (const field of fields) {
    const text = values[field.name] ?? "";
    const [name = "", ...inner] = field.path;
    if (field.in === "path") path[name] = text;
    else if (text === "") continue;
    else if (field.in === "header") headers[name] = text;
    else if (field.in === "query") query[name] = toScalar(text, field);
    else put(body, [name, ...inner], field.repeatable ? toList(text, field) : toValue(text, field));
  }
  const hasBody = fields.some((field) => field.in === "body");
  return { path, query, headers, body: hasBody ? body : undefined };
}

/** Returns the faults that the server found in the field, or in a value inside it. */
export function faultsAt<Fault extends { readonly pointer: string }>(
  { in: place, path }: Pick<ContractField, "in" | "path">,
  faults: readonly Fault[],
): Fault[] {
  const steps = path.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"));
  const pointer = ["", ...(place === "body" ? [] : [place]), ...steps].join("/");
  return faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
}

function put(target: Fields, [name = "", ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) target[name] = value;
  else {
    target[name] ??= {};
    put(target[name] as Fields, inner, value);
  }
}

/** Splits a text into values, one per line. */
function toList(text: string, field: ContractField): unknown[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map((line) => toValue(line, field));
}

function toValue(text: string, field: ContractField): unknown {
  if (field.type !== "json") return toScalar(text, field);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toScalar(text: string, { type }: ContractField): string | number | boolean {
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (type === "integer" || type === "number" || type === "integer-or-string") {
    const number = Number(text);
    if (String(number) === text.trim() && Number.isFinite(number)) return number;
  }
  return text;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
