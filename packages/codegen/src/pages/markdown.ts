// Markdown as the pages of the contract write it.
import type { Operation } from "../model.ts";

/** A table; a bar or a line break inside a cell cannot end it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
}

/** A value as a fenced block of JSON. */
export function jsonBlock(value: unknown): string {
  return fenced("json", JSON.stringify(value, null, 2));
}

/** A fenced block; `text` holds no fence of its own. */
export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** `SMS registration` → `sms-registration`, which is a page's name and, on GitHub, a heading's anchor. */
export function slugOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Where an operation is described, from a folder beside docs/api. */
export function operationLink({ tag, summary }: Operation): string {
  return `../api/${slugOf(tag)}.md#${slugOf(summary)}`;
}

/** The parts that say something, a blank line between each two. */
export function pageOf(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}
