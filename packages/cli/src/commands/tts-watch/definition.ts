import type { Definition } from "../../model/command.ts";
import { WAIT_SECONDS } from "../../operation/durations.ts";
import { waitTimeoutFlag } from "../../operation/wait-flags.ts";

export const ttsWatch: Definition = {
  summary: "Follow a batch until all calls are over",
  follows: "getTtsBatchSummary",
  description:
    "Follows a batch of spoken messages until all of its calls are over, then prints its totals. Progress goes to standard error: " +
    "one updated line on a terminal, else a line for each change. With -o jsonl, standard output has a " +
    "line for each change; the last one is the final state.\n\n" +
    "Exits with 0 if no call failed, 8 if some did, 10 if --wait-timeout passes first, and 130 on " +
    "Ctrl-C. The calls continue in any case.",
  arguments: [{ name: "batch-id", description: "Identifier of the batch.", complete: "batchId" }],
  flags: [waitTimeoutFlag(String(WAIT_SECONDS))],
  requests: "one",
  examples: [
    { title: "Watch a batch", argv: ["tts", "watch", "9002", "--wait-timeout", "600"] },
    { title: "Print a line of JSON for each change", argv: ["tts", "watch", "9002", "-o", "jsonl"] },
  ],
};
