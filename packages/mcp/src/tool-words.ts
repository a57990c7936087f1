// Turns the contract's advice for a terminal into advice for a model.

import { tools } from "./generated/tools.ts";

/** Writes each `msgctl` command of a text that is a tool as a call of the tool: `merchants_get(merchantId: demo)`. */
export function asToolCalls(text: string): string {
  return text
    .replace(/`msgctl <group> <command> --help`/g, "The tool's input schema")
    .replace(/`msgctl ([^`]*)`/g, (quoted, line: string) => asToolCall(line.split(/\s+/)) ?? quoted)
    .replace(/--idempotency-key\b/g, "idempotencyKey");
}

function asToolCall([group, command, ...words]: readonly string[]): string | undefined {
  const tool = tools.find((each) => each.group === group && each.command === command);
  if (tool === undefined) return undefined;
  const given: string[] = [];
  const places = [...tool.pathParameters];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const next = words[at + 1];
    if (!word.startsWith("-")) given.push(`${places.shift() ?? "value"}: ${word}`);
    else if (next === undefined || next.startsWith("-")) given.push(`${camelCase(word)}: true`);
    else {
      given.push(`${camelCase(word)}: ${next}`);
      at += 1;
    }
  }
  return `\`${tool.name}(${given.join(", ")})\``;
}

function camelCase(flag: string): string {
  return flag.replace(/^-+/, "").replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
