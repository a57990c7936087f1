import { allGroups, type Catalog } from "../model/catalog.ts";
import { exampleLines } from "./examples.ts";
import { globalFlagRows } from "./flags.ts";
import { type Page, section } from "./page.ts";
import { topicRows } from "./topics.ts";

/** Formats `msgctl --help`. */
export function rootHelp(catalog: Catalog, page: Page): string {
  const { rootCommands, index } = catalog;
  return [
    page.paragraphs("Work with the merchant messaging service from the terminal."),
    section(
      page,
      "USAGE",
      page.verbatim(["msgctl <group> <command> [arguments] [flags]", "msgctl <command> [arguments] [flags]"]),
    ),
    section(
      page,
      "COMMAND GROUPS",
      page.definitions(allGroups(catalog).map(({ name, description }) => [name, description])),
    ),
    rootCommands.length > 0 &&
      section(page, "COMMANDS", page.definitions(rootCommands.map(({ name, summary }) => [name, summary]))),
    section(page, "HELP TOPICS", page.definitions(topicRows)),
    section(
      page,
      "FLAGS",
      page.definitions([
        ...globalFlagRows(),
        ["-h, --help", "Show help for a command."],
        ["-V, --version", "Print the versions of msgctl and of its contract."],
      ]),
    ),
    section(page, "EXAMPLES", exampleLines(index.examples, page)),
    section(
      page,
      "LEARN MORE",
      page.definitions([
        ["msgctl <group> --help", "The commands of a group."],
        ["msgctl <group> <command> --help", "The flags of a command, with examples."],
      ]),
    ),
  ]
    .filter((part) => part !== false)
    .join("\n");
}
