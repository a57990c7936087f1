/** The argument and flags of every bulk command. */
import {
  BULK_CONCURRENCY_DEFAULT,
  IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM,
  BULK_CONCURRENCY_MINIMUM as LEAST,
  BULK_CONCURRENCY_MAXIMUM as MOST,
} from "@msgctl/contract/constants";
import type { DefinedArgument, DefinedFlag } from "../model/command.ts";

/** Flags that decide what to do with rows that were sent before. */
export const EARLIER_ROWS_FLAGS: readonly DefinedFlag[] = [
  {
    flags: "--status",
    description: `Show the status of each row instead of sending. Works for rows sent in the last ${IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM} days.`,
  },
  {
    flags: "--only-new",
    description:
      "Skip rows that were sent before, and rows of recipients who got another text from a list of this name.",
  },
  {
    flags: "--run <word>",
    description:
      "Send the list again on purpose, once for each word: a weekly list takes a new word each week, such as its date.",
  },
];

export const BULK_FLAGS: readonly DefinedFlag[] = [
  {
    flags: "--example",
    description: "Only print an example list: `--example > list.csv`.",
    replacesArguments: true,
  },
  {
    flags: "--map <column=field>",
    description: "Field that a column fills; column= ignores the column.",
    repeatable: true,
  },
  {
    flags: "--concurrency <count>",
    description: `Requests to run at the same time, ${LEAST} to ${MOST}. (default ${BULK_CONCURRENCY_DEFAULT})`,
  },
  {
    flags: "--resend-open",
    description: `Resend rows whose outcome is unknown after ${IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM} days. Some may be sent twice.`,
  },
  { flags: "--same-account", description: "Continue a run that another API key of the same account started." },
];

export const BULK_ARGUMENT: DefinedArgument = {
  name: "csv",
  description: "File with a header line, or - for standard input.",
  takes: "file",
};
