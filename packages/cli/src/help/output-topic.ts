/** `msgctl help output`: the formats in which answers and errors are printed. */
import type { Format } from "../output/format.ts";
import { type Page, section } from "./page.ts";

const MEANINGS: Readonly<Record<Format, string>> = {
  table:
    "For people: money with its currency, times in the local time zone; on a terminal, statuses in colour and recent times as 3 min ago.",
  json: "The exact response of the service, indented. Errors are JSON too, on standard error.",
  jsonl: "The same JSON on one line, with one line per element of a list. Errors are JSON too, on one line.",
  yaml: "The same data as YAML.",
  csv: "A header line, and a line for each element, with the columns of --columns or, without it, all known columns.",
  raw: "A string without quotes, a list of plain values one per line, anything else as JSON on one line.",
};

export function outputTopic(page: Page): string {
  return [
    page.paragraphs(
      "Data goes to standard output, everything else to standard error. Secrets are masked in every format unless " +
        "--show-secrets is given. Whole numbers are exact at any size.",
    ),
    section(page, "FORMATS", page.definitions(Object.entries(MEANINGS))),
    section(
      page,
      "CSV",
      page.indented(
        "A spreadsheet runs a text that begins with =, +, -, @, their fullwidth forms, a tab or a line end as a formula, so " +
          "such a text gets an apostrophe before it. Phone numbers and other plain numbers with a sign stay as they are. A missing value is an empty field, an " +
          'empty text is "". Lists within a field are JSON.',
      ),
    ),
    section(
      page,
      "CONTROL CHARACTERS",
      page.indented(
        "Control characters, and marks that change the direction of text, are shown as escapes such as \\u009b. JSON " +
          "and YAML escape them everywhere without changing the value; csv and raw, which have no escapes, do so only on a terminal.",
      ),
    ),
    section(
      page,
      "QUERY",
      page.indented(
        "--query takes a JMESPath expression (jmespath.org) and prints its result in any format, with secrets masked. " +
          "A bare word between backticks is a string, as in the AWS CLI. An invalid expression is refused before anything is sent.",
      ) +
        page.verbatim([
          "",
          'msgctl merchants list -q "[].merchantId" -o raw',
          "msgctl consent list -q \"[?status=='OPT_OUT'].{who: contact, since: updatedAt}\"",
        ]),
    ),
    section(
      page,
      "FILES",
      page.indented(
        "--out writes the data to a file that only you can read, and replaces an existing file in one step. A symbolic link is " +
          "refused. A command that fails before it has data leaves the file as it was.",
      ),
    ),
  ].join("\n");
}
