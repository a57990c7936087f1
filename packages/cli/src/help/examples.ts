import type { Example } from "../model/record.ts";
import { shellLine, shellWord } from "../process/shell-word.ts";
import type { Page } from "./page.ts";

const LONGEST_LINE = 76;
const CONTINUED = " \\";

/** Formats examples that can be pasted. A long one is broken before its flags. */
export function exampleLines(examples: readonly Example[], page: Page): string {
  return examples.map(({ title, argv }) => page.verbatim([page.dim(`# ${title}`), ...commandLines(argv)])).join("\n");
}

/** Formats an example as lines for a shell. */
export function commandLines(argv: readonly string[]): string[] {
  const line = `msgctl ${shellLine(argv)}`;
  return line.length <= LONGEST_LINE ? [line] : brokenBeforeFlags(argv);
}

/** Distributes the words over lines, and keeps each flag on one line with its value. */
function brokenBeforeFlags(argv: readonly string[]): string[] {
  const lines = ["msgctl"];
  for (const part of flagsWithValues(argv)) {
    const longer = `${lines.at(-1)} ${part}`;
    if (longer.length <= LONGEST_LINE - CONTINUED.length) lines.splice(-1, 1, longer);
    else lines.push(`  ${part}`);
  }
  return lines.map((line, index) => (index < lines.length - 1 ? line + CONTINUED : line));
}

function flagsWithValues(argv: readonly string[]): string[] {
  const parts: string[] = [];
  for (const word of argv) {
    const last = parts.at(-1);
    if (last?.startsWith("--") && !last.includes(" ") && !word.startsWith("--"))
      parts.splice(-1, 1, `${last} ${shellWord(word)}`);
    else parts.push(shellWord(word));
  }
  return parts;
}
