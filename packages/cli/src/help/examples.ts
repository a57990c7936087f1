import type { Example } from "../record.ts";
import { shellLine, shellWord } from "../shell-word.ts";
import type { Page } from "./page.ts";

const LONGEST_LINE = 76;

/** Examples as they can be pasted; a long one is broken before its flags. */
export function exampleLines(examples: readonly Example[], page: Page): string {
  return examples.map(({ title, argv }) => page.verbatim([page.dim(`# ${title}`), ...commandLines(argv)])).join("\n");
}

function commandLines(argv: readonly string[]): string[] {
  const line = `msgctl ${shellLine(argv)}`;
  return line.length <= LONGEST_LINE ? [line] : brokenBeforeFlags(argv);
}

function brokenBeforeFlags(argv: readonly string[]): string[] {
  const parts: string[] = ["msgctl"];
  for (const word of argv) {
    if (word.startsWith("--")) parts.push(`  ${word}`);
    else parts.push(`${parts.pop()} ${shellWord(word)}`);
  }
  return parts.map((part, index) => (index < parts.length - 1 ? `${part} \\` : part));
}
