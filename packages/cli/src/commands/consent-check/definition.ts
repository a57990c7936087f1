import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";
import { CHANNELS } from "./consent-channels.ts";

const FIELDS = ["optedIn", "merchantId", "channel", "contact", "status", "source", "updatedAt"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const consentCheck: Definition = {
  summary: "Check whether a contact has opted in",
  description:
    "Checks whether a contact has opted in to a merchant's messages on a channel, and prints the latest record. " +
    "Exits with 0 if the contact has opted in, and with 8 if it has opted out or has no record, so that a script can run " +
    "`if msgctl consent check ...`. Any other exit code means that the check failed.\n\n" +
    "A contact without a record has not opted in. Some message types need no opt-in: see " +
    "`msgctl consent record --help`.",
  arguments: [{ name: "contact", description: "Phone number in E.164 form, or email address." }],
  flags: [
    { flags: "--merchant-id <value>", description: "Merchant that sends the messages.", complete: "merchantId" },
    {
      flags: "--channel <channel>",
      description: "Channel of the messages. Not needed for an email address.",
      choices: [...CHANNELS.phone, ...CHANNELS.email],
    },
  ],
  output: OUTPUT,
  requests: "one",
  examples: [
    {
      title: "May this merchant send an SMS?",
      argv: ["consent", "check", "+12025550100", "--merchant-id", "demo", "--channel", "SMS"],
    },
    {
      title: "Check an email address in a script",
      argv: ["consent", "check", "dana@patients.example", "--merchant-id", "bright-dental", "-o", "json"],
    },
  ],
};
