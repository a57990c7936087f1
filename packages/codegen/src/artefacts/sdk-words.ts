// The common parts of the SDK's artefacts: names, and comments from the contract's own text.
import type { Command } from "../model.ts";

/** Longest line of a comment's text. */
export const WIDTH = 114;

/** `direct-sms` → `directSms`. */
export function camelCase(words: string): string {
  return words.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `direct-sms` → `DirectSms`. */
export function pascalCase(words: string): string {
  return camelCase(`-${words}`);
}

/** Expression by which a caller reaches an operation: `client.send.directSms`. */
export function methodOf({ group, name }: Command): string {
  return `client.${camelCase(group)}.${camelCase(name)}`;
}

/** Name of the type of an operation's query values. */
export function queryTypeOf(operationId: string): string {
  return `${pascalCase(operationId)}Query`;
}

/** Wraps the text as one paragraph. */
export function wrap(text: string, hanging = ""): string[] {
  const lines: string[] = [];
  for (const word of text.trim().split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : hanging + word);
  }
  return lines;
}

/** A documentation comment. The text is escaped, so that it cannot end the comment. */
export function comment(lines: readonly string[], indent = ""): string[] {
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"));
  const [only = "", ...more] = safe;
  if (more.length === 0 && only.length < WIDTH) return [`${indent}/** ${only} */`];
  return [`${indent}/**`, ...safe.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}
