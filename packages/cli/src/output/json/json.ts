/** Formats JSON. Keeps integers exact, including int64, and escapes control characters. */
import { stringifyJson } from "@msgctl/sdk";
import { printableJson } from "../printable.ts";

// Matches strings, empty objects and arrays, and punctuation. Numbers and words between them stay as they are.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|\{\}|\[\]|[{}[\],:]/g;

/** Formats a value on one line. A missing value becomes `null`, so that programs always get valid JSON. */
export function compactJson(value: unknown): string {
  return printableJson(stringifyJson(value ?? null));
}

/** Formats a value as `JSON.stringify(value, null, 2)` does. */
export function indentedJson(value: unknown): string {
  let depth = 0;
  const newLine = () => `\n${"  ".repeat(depth)}`;
  return compactJson(value).replace(TOKEN, (token) => {
    if (token === "{" || token === "[") {
      depth += 1;
      return token + newLine();
    }
    if (token === "}" || token === "]") {
      depth -= 1;
      return newLine() + token;
    }
    if (token === ",") return token + newLine();
    return token === ":" ? ": " : token;
  });
}

/** Formats one line per element of a list, and one line for any other value. */
export function jsonLines(value: unknown): string {
  const elements = Array.isArray(value) ? value : [value];
  return elements.map((element) => `${compactJson(element)}\n`).join("");
}
