/** The argument and flags of every bulk command. */
import {
  BULK_CONCURRENCY_DEFAULT,
  IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM,
  BULK_CONCURRENCY_MINIMUM as LEAST,
  BULK_CONCURRENCY_MAXIMUM as MOST,
} from "@msgctl/contract/constants";
import type { DefinedArgument, DefinedFlag } from "../model/command.ts";

/** Flags about rows that have gone out before. */
export const EARLIER_ROWS_FLAGS: readonly DefinedFlag[] = [
  {
    flags: "--status",
    description: `Send nothing, and tell what became of a list: asked for rows of the last ${IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM} days.`,
  },
  {
    flags: "--only-new",
    description: "Leave out rows that went out before, and recipients who had another text from a list of this name.",
  },
  {
    flags: "--run <word>",
    description: "Send the list again on purpose, once for each word: a weekly list has another word each week.",
  },
];

export const BULK_FLAGS: readonly DefinedFlag[] = [
  {
    flags: "--example",
    description: "Print a list to begin with, and send nothing: `--example > list.csv`.",
    replacesArguments: true,
  },
  { flags: "--map <column=field>", description: "Field that a column fills; column= leaves it out.", repeatable: true },
  {
    flags: "--concurrency <count>",
    description: `Most calls under way at once, ${LEAST} to ${MOST}. (default ${BULK_CONCURRENCY_DEFAULT})`,
  },
  {
    flags: "--resend-open",
    description: `Go on with a run of more than ${IDEMPOTENCY_KEY_KEPT_DAYS_MINIMUM} days ago, whose keys the service may have forgotten.`,
  },
  { flags: "--same-account", description: "Go on with a run that another API key of the same account began." },
];

export const BULK_ARGUMENT: DefinedArgument = {
  name: "csv",
  description: "File with a header line, or - for standard input.",
  takes: "file",
};
