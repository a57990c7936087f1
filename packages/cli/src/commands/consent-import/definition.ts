import { BULK_ARGUMENT, BULK_FLAGS } from "../../bulk/bulk-flags.ts";
import type { Definition } from "../../model/command.ts";

const EXAMPLE = [
  ...["consent", "import", "answers.csv", "--set", "merchantId=bright-dental", "--set", "channel=SMS"],
  ...["--map", "Mobile phone=contact"],
];

export const consentImport: Definition = {
  summary: "Record the opt-ins and opt-outs of a CSV file",
  description:
    "Records one opt-in or opt-out for each row of a CSV file. Name the columns like the fields or flags of `consent record`, in upper or lower case. All rows are checked before the first is recorded. If the command is interrupted, run it again: it continues where it stopped. After a complete import, running it again records all rows again. Only one msgctl at a time can import a list. Rows of one contact are recorded in order, so the last one applies. If a row would opt in a contact who opted out by a reply, such as STOP, or by an email link, msgctl asks; without a terminal it records nothing and exits with 9, unless `--keep-stops` or `-y` is given.",
  arguments: [BULK_ARGUMENT],
  flags: [
    {
      flags: "--keep-stops",
      description: "Skip opt-ins of contacts who opted out by a reply or a link.",
    },
    ...BULK_FLAGS,
  ],
  requests: "rows",
  fieldsOf: ["recordConsent"],
  examples: [
    { title: "Check a list without recording it", argv: [...EXAMPLE, "--dry-run"] },
    { title: "Import it", argv: EXAMPLE },
  ],
};
