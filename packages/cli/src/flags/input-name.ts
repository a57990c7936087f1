import type { Input } from "../model/record.ts";

/** `--to` or `<merchantId>`: an input as messages name it. */
export function formatInputName(input: Input): string {
  if (input.positional) return `<${input.name}>`;
  return input.secret ? `--${input.name}-file` : `--${input.name}`;
}
