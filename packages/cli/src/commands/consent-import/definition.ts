import { BULK_ARGUMENT, BULK_FLAGS } from "../../bulk/bulk-flags.ts";
import type { Definition } from "../../model/command.ts";

const EXAMPLE = [
  ...["consent", "import", "answers.csv", "--set", "merchantId=bright-dental", "--set", "channel=SMS"],
  ...["--map", "Mobile phone=contact"],
];

export const consentImport: Definition = {
  summary: "Record the answers of a CSV file",
  description:
    "Records one opt-in or opt-out for each row of a CSV file. Columns are named as the fields or flags of `consent record`, in any case. All rows are checked before the first is recorded. A complete list is recorded anew each time; killed or interrupted, the same command goes on where it was. While one run has the list, another is refused. Rows of one contact are recorded in their order, so that the last one holds. Where a row would opt in a contact who has opted out by a reply, such as STOP, or by the link of a mail, msgctl asks; otherwise it records nothing and ends with 9, unless `--keep-stops` or `-y` says it.",
  arguments: [BULK_ARGUMENT],
  flags: [
    {
      flags: "--keep-stops",
      description: "Leave out opt-ins of contacts who have opted out by a reply or a link.",
    },
    ...BULK_FLAGS,
  ],
  requests: "rows",
  fieldsOf: ["recordConsent"],
  examples: [
    { title: "Check the answers of a form", argv: [...EXAMPLE, "--dry-run"] },
    { title: "Import them", argv: EXAMPLE },
  ],
};
