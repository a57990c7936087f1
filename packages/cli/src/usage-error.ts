import type { CommanderError } from "commander";
import { UsageError } from "./errors.ts";

/**
 * commander's complaint about a command line in the words of this tool: without its prefix, on one line, its guess as
 * part of the sentence.
 */
export function asUsageError({ message }: CommanderError): UsageError {
  const text = message
    .replace(/^error: /, "")
    .replace(/\s*\n\(Did you mean (one of )?(.*?)\?\)$/, (_, several: string | undefined, names: string) => {
      return `; did you mean ${several ? "one of " : ""}${names}?`;
    });
  return new UsageError(text, [
    "Run `msgctl --help` to see all commands, and --help after a command to see its flags.",
  ]);
}
