import type { Definition } from "../../model/command.ts";
import { INTERVAL_SECONDS, LONGEST_INTERVAL_SECONDS } from "../../operation/durations.ts";

export const alertsTail: Definition = {
  summary: "Print alerts as they come",
  description:
    "Prints alerts as they come, the oldest first and each once. It begins with those that come after its start, or " +
    "with those since a time. A service that does not answer for a while is told on standard error, and asked again.\n\n" +
    "Formats: table, jsonl and csv are printed as they come; json, yaml and raw are one document, printed at the end. " +
    "--query is over the alerts of each read.\n\n" +
    "It ends with exit code 130 on Ctrl-C, with 0 after --count alerts or when --wait-timeout has passed, and with 10 " +
    "when that passes before --count alerts have come.",
  arguments: [],
  filtersOf: "listAlerts",
  flags: [
    { flags: "--since <time>", description: "Begin with the alerts since then: a time, a date, or 30m, 2h, 1d ago." },
    {
      flags: "--interval <seconds>",
      description: `Pause between two reads, at most ${LONGEST_INTERVAL_SECONDS}. (default ${INTERVAL_SECONDS})`,
    },
    { flags: "--count <number>", description: "End after so many alerts." },
    { flags: "--wait-timeout <seconds>", description: "End after so long. (default never)" },
  ],
  requests: "one",
  examples: [
    { title: "Print those of the next five seconds", argv: ["alerts", "tail", "--wait-timeout", "5"] },
    {
      title: "One of the last day or to come, as JSON",
      argv: ["alerts", "tail", "--since", "1d", "--count", "1", "--wait-timeout", "5", "-o", "jsonl"],
    },
  ],
};
