import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["merchantId", "readyToSend", "blockingReason"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: [...FIELDS, "changes"], secrets: [] };

export const registrationApply: Definition = {
  summary: "Register what a file describes",
  description:
    "Registers what a YAML or JSON file describes for 10DLC: merchantId, brand, campaigns, numbers. Their " +
    "fields are those of `registration brand`, `campaign` and `number`, named as in the contract; a number's campaign " +
    "is the campaignReference of one in the file. Shows what would change, asks, and changes only that; " +
    "what the file leaves out stays as it is. If it is interrupted, run the same command again to continue. Exit code " +
    "8 means that the service refused a change after it had made others, or that a change is not possible yet.",
  arguments: [{ name: "file", description: "YAML or JSON file, or - for standard input.", takes: "file" }],
  flags: [
    {
      flags: "--send-hidden",
      description: "Send rawProviderPayload even if nothing else changes: the service never returns it to compare.",
    },
  ],
  output: OUTPUT,
  requests: "several",
  examples: [
    { title: "Show what would change", argv: ["registration", "apply", "examples/registration.yaml", "--dry-run"] },
    { title: "Change it without a question", argv: ["registration", "apply", "examples/registration.yaml", "-y"] },
  ],
};
