import type { CommandDefinition, DefinedArgument } from "../model/command.ts";
import { fieldsSection } from "./command-help.ts";
import { exampleLines } from "./examples.ts";
import { formatFlagRow, globalFlagRows, oneOf, type Row } from "./flags.ts";
import { type Page, section } from "./page.ts";
import { takesGlobalFlag } from "./taken-flags.ts";

/** Formats `msgctl config path --help`. */
export function definitionHelp(command: CommandDefinition, page: Page): string {
  const { description, arguments: named, flags, output, examples } = command;
  const rows = flags.map(formatFlagRow);
  return [
    page.paragraphs(description),
    section(page, "USAGE", page.verbatim([formatUsage(command)])),
    named.length > 0 && section(page, "ARGUMENTS", page.definitions(named.map(formatArgumentRow))),
    rows.length > 0 && section(page, "FLAGS", page.definitions(rows)),
    section(
      page,
      "GLOBAL FLAGS",
      page.definitions([...globalFlagRows(takesGlobalFlag(command)), ["-h, --help", "Show this help."]]),
    ),
    output !== undefined && fieldsSection(output, page),
    section(page, "EXAMPLES", exampleLines(examples, page)),
  ]
    .filter((part) => part !== false && part !== "")
    .join("\n");
}

/** Formats the usage line. */
export function formatUsage({ words, arguments: named }: CommandDefinition): string {
  return ["msgctl", words, ...named.map(argumentTerm), "[flags]"].join(" ");
}

export function formatArgumentRow({ name, optional, description, choices }: DefinedArgument): Row {
  return [argumentTerm({ name, ...(optional && { optional }) }), [description, ...oneOf(choices)].join(" ")];
}

function argumentTerm({ name, optional }: Pick<DefinedArgument, "name" | "optional">): string {
  return optional ? `[${name}]` : `<${name}>`;
}
