import type { AnyEntry, GroupEntry } from "../model/record.ts";
import { type Page, section } from "./page.ts";

/** Formats `msgctl send --help`. */
export function groupHelp(group: GroupEntry<AnyEntry>, page: Page): string {
  return [
    page.paragraphs(group.description),
    section(page, "USAGE", page.verbatim([`msgctl ${group.name} <command> [arguments] [flags]`])),
    section(
      page,
      "COMMANDS",
      page.definitions(
        group.commands.map(({ name, aliases, summary }) => [
          name,
          aliases.length === 0 ? summary : `${summary} (also: ${aliases.join(", ")})`,
        ]),
      ),
    ),
    section(
      page,
      "LEARN MORE",
      page.definitions([[`msgctl ${group.name} <command> --help`, "The flags of a command, with examples."]]),
    ),
  ].join("\n");
}
