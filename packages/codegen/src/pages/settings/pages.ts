// Generates the table of msgd's settings from msgd's data: the part of docs/operations.md between two comments.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Setting, settings } from "@msgctl/server/settings";
import { formatNotice, type PageSet } from "../../page-set.ts";
import { code, prose, table } from "../markdown.ts";

const PAGE = "docs/operations.md";
const BEGINNING = `<!-- ${formatNotice("packages/server/src/settings")} -->`;
const END = "<!-- The end of what is generated. -->";

export const pageSet: PageSet<string> = {
  folders: [],
  async render(root) {
    return new Map([[PAGE, replaceTable(await readFile(join(root, PAGE), "utf8"), renderSettings(settings))]]);
  },
};

/** Replaces the table in the page. Throws when the comments around it are missing. */
export function replaceTable(page: string, settingsTable: string): string {
  const [before, rest, ...more] = page.split(`${BEGINNING}\n`);
  const after = rest?.split(`${END}\n`);
  if (before === undefined || after?.length !== 2 || more.length > 0) {
    throw new Error(`${PAGE} must have ${BEGINNING} and ${END} once each, around the table of settings.`);
  }
  return [before, BEGINNING, "\n\n", settingsTable, "\n\n", END, "\n", after[1]].join("");
}

/** A row for each setting, in order. */
export function renderSettings(all: Readonly<Record<string, Setting<unknown>>>): string {
  return table(
    ["flag", "variable", "default", "meaning"],
    Object.values(all).map(({ flag = "", variable = "", fallback, shownDefault, help, note }) => [
      flag === "" ? "" : code(flag),
      variable === "" ? "" : code(variable),
      shownDefault ?? (fallback === undefined ? "off" : code(fallback)),
      prose(note === undefined ? help : `${help}. ${note}`),
    ]),
  );
}
