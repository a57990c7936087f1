import type { WrittenCommand } from "../written/written-command.ts";
import { exampleLines } from "./examples.ts";
import { globalFlagRows, oneOf, writtenFlagRow } from "./flags.ts";
import { type Page, section } from "./page.ts";

/** `msgctl config path --help`. */
export function writtenHelp(command: WrittenCommand, page: Page): string {
  const { words, description, arguments: named, flags, examples } = command;
  const rows = flags.map(writtenFlagRow);
  const usage = ["msgctl", words, ...named.map(({ name }) => `<${name}>`), "[flags]"].join(" ");
  return [
    page.paragraphs(description),
    section(page, "USAGE", page.verbatim([usage])),
    named.length > 0 &&
      section(
        page,
        "ARGUMENTS",
        page.definitions(
          named.map(({ name, description, choices }) => [`<${name}>`, [description, ...oneOf(choices)].join(" ")]),
        ),
      ),
    rows.length > 0 && section(page, "FLAGS", page.definitions(rows)),
    section(page, "GLOBAL FLAGS", page.definitions([...globalFlagRows(), ["-h, --help", "Show this help."]])),
    section(page, "EXAMPLES", exampleLines(examples, page)),
  ]
    .filter((part) => part !== false)
    .join("\n");
}
