/** JSON that keeps whole numbers exact, int64 included, and escapes what a terminal would obey. */
import { stringifyJson } from "@msgctl/sdk";
import { printableJson } from "../printable.ts";

// A string, an empty object or array, or punctuation: numbers and words in between stay as they are.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|\{\}|\[\]|[{}[\],:]/g;

/** On one line. A missing value is `null`, so that readers always find one. */
export function compactJson(value: unknown): string {
  return printableJson(stringifyJson(value ?? null));
}

/** Indented like `JSON.stringify(value, null, 2)`. */
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

/** One line per element of a list; anything else is one line. */
export function jsonLines(value: unknown): string {
  const elements = Array.isArray(value) ? value : [value];
  return elements.map((element) => `${compactJson(element)}\n`).join("");
}
