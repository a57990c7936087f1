import type { Input } from "../model/record.ts";

/** Formats the name of an input for messages: `--to` or `<merchantId>`. */
export function formatInputName(input: Input): string {
  if (input.positional) return `<${input.name}>`;
  return input.secret ? `--${input.name}-file` : `--${input.name}`;
}
