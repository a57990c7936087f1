import type { Definition } from "../../model/command.ts";
import { WAIT_SECONDS } from "../../operation/durations.ts";
import { waitTimeoutFlag } from "../../operation/wait-flags.ts";

export const ttsWatch: Definition = {
  summary: "Follow a batch until it is over",
  follows: "getTtsBatchSummary",
  description:
    "Follows a batch of spoken messages until all of its calls are over, then prints its totals. Meanwhile standard error " +
    "tells how far it is: on one line of a terminal, else on a line for each change. With -o jsonl standard output has a " +
    "line for each change, of which the last is the end.\n\n" +
    "Exits with 0 when no call failed, 8 when some did, 10 when --wait-timeout has passed before the end, and 130 on " +
    "Ctrl-C. The calls go on whatever becomes of the watching.",
  arguments: [{ name: "batch-id", description: "Identifier of the batch.", complete: "batchId" }],
  flags: [waitTimeoutFlag(String(WAIT_SECONDS))],
  requests: "one",
  examples: [
    { title: "Watch a batch", argv: ["tts", "watch", "9002", "--wait-timeout", "600"] },
    { title: "A line of JSON for each change", argv: ["tts", "watch", "9002", "-o", "jsonl"] },
  ],
};
