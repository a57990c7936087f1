import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["merchantId", "readyToSend", "blockingReason"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: [...FIELDS, "changes"], secrets: [] };

export const registrationApply: Definition = {
  summary: "Bring a registration to what a file says",
  description:
    "Brings a merchant's 10DLC registration to what a YAML or JSON file says: merchantId, brand, campaigns, numbers. Their " +
    "fields are those of `registration brand`, `campaign` and `number` by their names in the contract; a number's campaign " +
    "is the campaignReference of one in the file. Shows what differs from the present state, asks, and does only that; " +
    "what the file does not name stays as it is. Ended at any point, the same command goes on with what is left. Exit code " +
    "8 means that some of it was done before the service refused a step, or that a step is not possible yet.",
  arguments: [{ name: "file", description: "YAML or JSON file, or - for standard input.", takes: "file" }],
  flags: [
    {
      flags: "--send-hidden",
      description: "Send rawProviderPayload, which the service never shows, also where nothing else differs.",
    },
  ],
  output: OUTPUT,
  requests: "several",
  examples: [
    { title: "See what would be done", argv: ["registration", "apply", "examples/registration.yaml", "--dry-run"] },
    { title: "Do it without being asked", argv: ["registration", "apply", "examples/registration.yaml", "-y"] },
  ],
};
