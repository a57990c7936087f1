/** Formats a command with the user's answers filled in, for use in a script. */
import type { OperationRecord } from "../../model/record.ts";
import type { RawValues } from "../../model/request.ts";
import { shellLine } from "../../process/shell-word.ts";

export interface TypedCommand {
  record: OperationRecord;
  values: RawValues;
  /** Values that commander parsed for the global flags. */
  flags: Readonly<Record<string, unknown>>;
}

/** Formats the command without secrets, in the record's order. `program` is the name by which the user calls msgctl. */
export function commandLine({ record, values, flags }: TypedCommand, program: string): string {
  const shown = record.inputs.filter(({ name, secret }) => values.has(name) && !secret);
  const named = shown.filter(({ positional }) => !positional).flatMap(({ name }) => flagWords(name, values.get(name)));
  const plain = shown.filter(({ positional }) => positional).flatMap(({ name }) => toTexts(values.get(name)));
  const global = Object.entries(flags).flatMap(([name, value]) => {
    return flagWords(
      kebabCase(name),
      name === "set" ? toTexts(value).filter((text) => !setsSecret(text, record)) : value,
    );
  });
  const options = [...named, ...global];
  // put positional values that look like flags after `--`
  const ordered = plain.some((text) => text.startsWith("-")) ? [...options, "--", ...plain] : [...plain, ...options];
  return `${program} ${shellLine([record.group, record.name, ...ordered])}`;
}

function flagWords(name: string, value: unknown): string[] {
  if (typeof value === "boolean") return [value ? `--${name}` : `--no-${name}`];
  return toTexts(value).flatMap((text) => (text.startsWith("-") ? [`--${name}=${text}`] : [`--${name}`, text]));
}

/** Whether `path=value` sets a field that holds a secret. */
function setsSecret(text: string, { inputs }: OperationRecord): boolean {
  return inputs.some(({ secret, path }) => secret && /^[.=]/.test(withoutStart(text, path.join("."))));
}

function withoutStart(text: string, start: string): string {
  return text.startsWith(start) ? text.slice(start.length) : "";
}

function toTexts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(String);
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
