import type { Definition } from "../../model/command.ts";
import { INTERVAL_SECONDS, LONGEST_INTERVAL_SECONDS } from "../../operation/durations.ts";

export const alertsTail: Definition = {
  summary: "Print new alerts as they arrive",
  description:
    "Prints alerts as they arrive, oldest first and each once. It starts with alerts that are created after the command has " +
    "started, or with alerts since a given time. If the service does not respond, a message goes to standard error and the command retries.\n\n" +
    "The formats table, jsonl and csv are printed as alerts arrive; json, yaml and raw are one document, printed at the end. " +
    "--query applies to the alerts of each request.\n\n" +
    "Exits with 130 on Ctrl-C, with 0 after --count alerts or when --wait-timeout has passed, and with 10 " +
    "when --wait-timeout passes before --count alerts have arrived.",
  arguments: [],
  filtersOf: "listAlerts",
  flags: [
    {
      flags: "--since <time>",
      description: "Start with alerts since a time, a date, or an age such as 30m, 2h or 1d.",
    },
    {
      flags: "--interval <seconds>",
      description: `Seconds between requests, at most ${LONGEST_INTERVAL_SECONDS}. (default ${INTERVAL_SECONDS})`,
    },
    { flags: "--count <number>", description: "Exit after this many alerts." },
    { flags: "--wait-timeout <seconds>", description: "Exit after this many seconds. (default never)" },
  ],
  requests: "one",
  examples: [
    { title: "Print the alerts of the next five seconds", argv: ["alerts", "tail", "--wait-timeout", "5"] },
    {
      title: "Print one alert of the last day, or wait for one, as JSON",
      argv: ["alerts", "tail", "--since", "1d", "--count", "1", "--wait-timeout", "5", "-o", "jsonl"],
    },
  ],
};
