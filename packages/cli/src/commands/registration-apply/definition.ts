import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["merchantId", "readyToSend", "blockingReason"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: [...FIELDS, "changes"], secrets: [] };

export const registrationApply: Definition = {
  summary: "Register what a file describes",
  description:
    "Registers the brand, campaigns and numbers of a merchant for 10DLC from a YAML or JSON file. The file has merchantId, " +
    "brand, campaigns and numbers, with the fields of `registration brand`, `campaign` and `number`, named as in the contract. " +
    "The campaign of a number is the campaignReference of a campaign in the file. Shows the changes, asks for confirmation, " +
    "and makes only these changes; anything that the file omits stays as it is. If the command is interrupted, run it again to " +
    "continue. Exit code 8 means that the service refused a change after it had made others, or that a change is not possible yet.",
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
