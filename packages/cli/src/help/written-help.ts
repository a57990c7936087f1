import type { WrittenArgument, WrittenCommand, WrittenFlag } from "../written/written-command.ts";
import { fieldsSection } from "./command-help.ts";
import { exampleLines } from "./examples.ts";
import { globalFlagRows, type Row } from "./flags.ts";
import { type Page, section } from "./page.ts";

/** `msgctl config path --help`. */
export function writtenHelp(command: WrittenCommand, page: Page): string {
  const { description, arguments: named, flags, output, examples } = command;
  const rows = flags.map(writtenFlagRow);
  return [
    page.paragraphs(description),
    section(page, "USAGE", page.verbatim([writtenUsage(command)])),
    named.length > 0 && section(page, "ARGUMENTS", page.definitions(named.map(writtenArgumentRow))),
    rows.length > 0 && section(page, "FLAGS", page.definitions(rows)),
    section(page, "GLOBAL FLAGS", page.definitions([...globalFlagRows(), ["-h, --help", "Show this help."]])),
    output !== undefined && fieldsSection(output, page),
    section(page, "EXAMPLES", exampleLines(examples, page)),
  ]
    .filter((part) => part !== false && part !== "")
    .join("\n");
}

/** The form of its command line. */
export function writtenUsage({ words, arguments: named }: WrittenCommand): string {
  return ["msgctl", words, ...named.map(({ name }) => `<${name}>`), "[flags]"].join(" ");
}

export function writtenArgumentRow({ name, description, choices }: WrittenArgument): Row {
  return [`<${name}>`, [description, ...oneOf(choices)].join(" ")];
}

export function writtenFlagRow({ flags, description, choices, repeatable }: WrittenFlag): Row {
  const plain = flags.replace(/[<>]/g, "");
  const marks = [description, ...oneOf(choices), ...(repeatable ? ["May be repeated."] : [])];
  return [plain.startsWith("--") ? `    ${plain}` : plain, marks.join(" ")];
}

function oneOf(choices: readonly string[] | undefined): string[] {
  return choices === undefined ? [] : [`One of ${choices.join(", ")}.`];
}
