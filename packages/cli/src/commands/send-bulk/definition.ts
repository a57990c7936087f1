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
    "Sends one message for each row of a CSV file. Name the columns like the fields or flags of `send sms`, `send voice` or `send email`, in any case. All rows are checked before the first is sent. If the command is interrupted, run it again: it continues where it stopped, even in another container. Rows are compared by content with rows sent before, even if the list was renamed, sorted, corrected or extended. If some rows were sent before, msgctl asks what to send; without a terminal it sends nothing and exits with 9, unless `--only-new` or `--run` is given. Only one msgctl at a time can send a list. Rows that the service refuses are written to a file beside the list, which you can correct and send. A refused credential stops the run; a merchant that is inactive or out of quota stops its own rows. Rows without an outcome are open: run the same command again to continue with them.",
  arguments: [BULK_ARGUMENT],
  flags: [
    { flags: "--channel <channel>", description: "Channel by which to send all rows.", choices: CHANNEL_VALUES },
    ...EARLIER_ROWS_FLAGS,
    ...BULK_FLAGS,
  ],
  requests: "rows",
  fieldsOf: ["sendSms", "sendVoice", "sendEmail"],
  examples: [
    { title: "Check a list, with values for all rows", argv: [...EXAMPLE, "--dry-run"] },
    { title: "Send it", argv: [...EXAMPLE, "-y"] },
  ],
};
