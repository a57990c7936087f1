/** JSON in which whole numbers stay what they are, int64 included, and which no terminal obeys. */
import { stringifyJson } from "@msgctl/sdk";
import { printableJson } from "../printable.ts";

// A text, an empty object or list, or a mark: numbers and words between them stay as they are.
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|\{\}|\[\]|[{}[\],:]/g;

/** On one line. What has no value is `null`, so that whoever reads finds one. */
export function compactJson(value: unknown): string {
  return printableJson(stringifyJson(value ?? null));
}

/** As `JSON.stringify(value, null, 2)` sets it. */
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

/** One line an element of a list; anything else is one line. */
export function jsonLines(value: unknown): string {
  const elements = Array.isArray(value) ? value : [value];
  return elements.map((element) => `${compactJson(element)}\n`).join("");
}
