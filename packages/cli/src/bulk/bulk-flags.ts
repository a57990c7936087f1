/** The argument and the flags that every bulk command has. */
import type { DefinedFlag } from "../model/command.ts";

export const BULK_FLAGS: readonly DefinedFlag[] = [
  { flags: "--map <column=field>", description: "Field that a column fills; column= leaves it out.", repeatable: true },
  { flags: "--concurrency <count>", description: "Most calls under way at once, 1 to 256. (default 16)" },
  { flags: "--resend-open", description: "Go on with a run of more than 7 days ago, whose keys are forgotten." },
  { flags: "--same-account", description: "Go on with a run that another API key of the same account began." },
];

export const BULK_ARGUMENT = { name: "csv", description: "File with a header line, or - for standard input." };
