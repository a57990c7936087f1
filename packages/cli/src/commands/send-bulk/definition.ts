import { CHANNEL_VALUES } from "@msgctl/contract/constants";
import { BULK_ARGUMENT, BULK_FLAGS, EARLIER_ROWS_FLAGS } from "../../bulk/bulk-flags.ts";
import type { Definition } from "../../model/command.ts";

const EXAMPLE = [
  ...["send", "bulk", "reminders.csv", "--channel", "SMS"],
  ...["--set", "merchantId=bright-dental", "--set", "type=REMINDER", "--map", "Phone=to"],
];

export const sendBulk: Definition = {
  summary: "Send a message for each row of a CSV file",
  description:
    "Sends one message for each row of a CSV file. Columns are named as the fields or flags of `send sms`, `send voice` or `send email`, in any case. All rows are checked before the first is sent. Killed or interrupted, the same command goes on where it was, in another container too. Rows are known by what they say: a list that was saved by a spreadsheet, sorted, mended or made longer, or has another name, is compared with what went out before. At a terminal msgctl asks what to send; otherwise it sends nothing and ends with 9, unless `--only-new` or `--run` says it. While one run has the list, another is refused. Rows that the service refuses are left in a file beside the list, to be mended and run. Where the credential is refused it stops; of a merchant whose quota is gone, or that is inactive, no more rows are begun. These stay open, and the same command goes on with them.",
  arguments: [BULK_ARGUMENT],
  flags: [
    { flags: "--channel <channel>", description: "How all rows are sent.", choices: CHANNEL_VALUES },
    ...EARLIER_ROWS_FLAGS,
    ...BULK_FLAGS,
  ],
  requests: "rows",
  fieldsOf: ["sendSms", "sendVoice", "sendEmail"],
  examples: [
    { title: "Check a list, with what all rows have in common", argv: [...EXAMPLE, "--dry-run"] },
    { title: "Send it", argv: [...EXAMPLE, "-y"] },
  ],
};
