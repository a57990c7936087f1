// Examples of a command: the request examples of the contract, written as command lines.
import type { Operation } from "../model.ts";
import { type CliInput, kebab } from "./cli-inputs.ts";

export interface CliExample {
  title: string;
  argv: string[];
}

/** A command line for each example of the body, or one with the required values. Omits values that msgctl fills in. */
export function examplesOf({ command, summary, body }: Operation, inputs: readonly CliInput[]): CliExample[] {
  const start = [command.group, command.name];
  const filled = command.fill.map(({ field }) => kebab(field));
  const typed = inputs.filter(({ name }) => !filled.includes(name));
  const bodies = body?.examples ?? [{ name: summary, value: undefined }];
  return bodies.map(({ name, summary: title, value }) => ({
    title: title ?? name,
    argv: [...start, ...words(typed, value)],
  }));
}

function words(inputs: readonly CliInput[], body: unknown): string[] {
  return inputs.flatMap((input) => {
    const value = input.in === "body" ? valueAt(body, input.path) : sample(input);
    const values = Array.isArray(value) ? value : [value];
    return values.filter((item) => item !== undefined).flatMap((item) => argumentWords(input, item));
  });
}

function argumentWords({ name, positional, secret }: CliInput, value: unknown): string[] {
  if (secret) return [`--${name}-file`, `${name}.txt`];
  if (positional) return [wordOf(value)];
  if (typeof value === "boolean") return [value ? `--${name}` : `--no-${name}`];
  return [`--${name}`, wordOf(value)];
}

/** A sample for a required value outside the body. Optional values are left out, to keep the line short. */
function sample({ required, example, type, name }: CliInput): string | undefined {
  if (!required) return undefined;
  return example ?? (type === "integer" ? "1" : name);
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body;
  for (const key of path) value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return value;
}
