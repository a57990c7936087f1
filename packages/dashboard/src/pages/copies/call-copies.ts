// Formats a call of an operation as shell commands (curl and msgctl) and as TypeScript. The shell commands need the
// environment variables MSGCTL_BASE_URL, MSGCTL_API_KEY and MSGCTL_API_SECRET.

import { type OperationId, operations } from "@msgctl/contract";
import { HIDDEN } from "../../elements/visible-text.ts";
import { encodeSegment } from "../../exchange/path-segment.ts";
import type { ContractField } from "../operations/contract-form.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Call {
  readonly operationId: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Fields;
  /** Undefined if the operation takes no body. */
  readonly body?: Fields | undefined;
  /** The arguments and flags of the msgctl command. @default a flag for each field of the body */
  readonly fields?: readonly Pick<ContractField, "name" | "in" | "path" | "positional" | "secret">[];
}

export interface CallCopies {
  readonly curl: string;
  readonly msgctl: string;
  readonly TypeScript: string;
}

/** Formats a call as curl, msgctl and TypeScript. Escapes characters that are invisible or reorder the surrounding text. */
export function copyCall(call: Call): CallCopies {
  return { curl: toCurl(call), msgctl: toCommand(call), TypeScript: toTypeScript(call) };
}

function toCurl({ operationId, path = {}, query = {}, body }: Call): string {
  const { method, path: template, idempotent } = operations[operationId];
  const target = template.replaceAll(/\{(\w+)\}/g, (_all, name) => inQuotes(encodeSegment(path[name] ?? "")));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}"$MSGCTL_BASE_URL${target}${search === "" ? "" : `?${search}`}"`,
    '-H "X-API-KEY: $MSGCTL_API_KEY"',
    '-H "X-API-SECRET: $MSGCTL_API_SECRET"',
    ...(idempotent ? ['-H "Idempotency-Key: copy-$(date +%s)"'] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${shellWord(toJson(body))}`]),
  ].join(" \\\n  ");
}

/** Escapes a URL-encoded text for double quotes in a shell: Bash expands exclamation marks there. */
function inQuotes(encoded: string): string {
  return encoded.replaceAll("!", "%21");
}

function toCommand(call: Call): string {
  const { operationId, body = {}, fields = Object.keys(body).map(toField) } = call;
  const { group, name } = operations[operationId];
  const given = fields.flatMap((field) => [readValue(call, field)].flat().map((value) => ({ ...field, value })));
  const present = given.filter(({ value }) => value !== undefined);
  const words = present.filter(({ positional }) => positional).map(({ value }) => shellWord(toWord(value)));
  const flags = present.filter(({ positional }) => !positional).map(toFlag);
  // msgctl parses nothing after -- as a flag
  if (words.some((word) => word.startsWith("-"))) flags.push(`-- ${words.splice(0).join(" ")}`);
  return [["msgctl", group, name, ...words].join(" "), ...flags].join(" \\\n  ");
}

function toField(name: string): NonNullable<Call["fields"]>[number] {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { name: flag, in: "body", path: [name] };
}

function readValue({ path, query, body }: Call, field: Pick<ContractField, "in" | "path">): unknown {
  const within = { path, query, header: undefined, body }[field.in];
  return field.path.reduce<unknown>((value, name) => (Object(value) as Fields)[name], within);
}

function toFlag({ name, secret, value }: { name: string; secret?: true; value: unknown }): string {
  if (secret) return `--${name}-file ${name}.txt`;
  if (typeof value === "boolean") return value ? `--${name}` : `--no-${name}`;
  const word = toWord(value);
  // msgctl would parse a value that begins with - as a flag
  return `--${name}${word.startsWith("-") ? "=" : " "}${shellWord(word)}`;
}

function toWord(value: unknown): string {
  return typeof value === "string" ? value : toJson(value);
}

function toTypeScript({ operationId, path = {}, query = {}, body }: Call): string {
  const { group, name, pathParameters } = operations[operationId];
  const values = [
    ...pathParameters.map((parameter) => toJson(path[parameter] ?? "")),
    ...(body === undefined ? [] : [toObject(body)]),
    ...(Object.keys(query).length === 0 ? [] : [toObject(query)]),
  ];
  return `await client.${camelCase(group)}.${camelCase(name)}(${values.join(", ")});`;
}

function toObject(fields: Fields): string {
  const lines = Object.entries(fields).map(([field, value]) => `  ${field}: ${toJson(value)},\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}}`;
}

function camelCase(words: string): string {
  return words.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

function toJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(HIDDEN, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Quotes a word if a shell would interpret it. A word with escapes becomes `$'…'`, which Bash and Zsh understand. */
function shellWord(word: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word)) return word;
  if (word.search(HIDDEN) < 0) return `'${word.replaceAll("'", `'\\''`)}'`;
  return `$'${word.replaceAll(/[\\']/g, "\\$&").replaceAll(HIDDEN, toEscape)}'`;
}
