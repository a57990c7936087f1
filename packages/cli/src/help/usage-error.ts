import type { CommanderError } from "commander";
import { UsageError } from "../failures/errors.ts";
import { allGroups, type Catalog } from "../model/catalog.ts";
import { findCommands, formatAdvice } from "./other-words.ts";

/**
 * Converts commander's error about a command line to the style of this tool: without its prefix, on one line, with its
 * suggestion as part of the sentence.
 */
export function asUsageError({ message, code }: CommanderError, argv: readonly string[], catalog: Catalog): UsageError {
  const known = knownWords(argv, catalog);
  const [said, word = ""] = /^error: (unknown command '(.*?)')/s.exec(message)?.slice(1) ?? [];
  const meant = code === "commander.unknownCommand" ? findCommands(word, known[0], catalog) : [];
  if (said !== undefined && meant.length > 0) return new UsageError(said, [formatAdvice(meant)]);
  const text = message
    .replace(/^error: /, "")
    .replace(/\s*\n\(Did you mean (one of )?(.*?)\?\)$/, (_, several: string | undefined, names: string) => {
      return `; did you mean ${several ?? ""}${names}?`;
    });
  return new UsageError(text, [`Run \`${["msgctl", ...known, "--help"].join(" ")}\`.`]);
}

/** The command's words as far as they are correct, to point to their help. */
function knownWords(argv: readonly string[], catalog: Catalog): string[] {
  const root = catalog.rootCommands.find(({ name }) => argv.includes(name));
  const group = allGroups(catalog).find(({ name }) => argv.includes(name));
  if (root !== undefined && (group === undefined || argv.indexOf(root.name) < argv.indexOf(group.name)))
    return [root.name];
  if (group === undefined) return [];
  const after = argv.slice(argv.indexOf(group.name) + 1);
  const command = group.commands.find(({ name, aliases }) => [name, ...aliases].includes(after[0] ?? ""));
  return command === undefined ? [group.name] : [group.name, command.name];
}
