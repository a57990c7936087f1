import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";
import { CHANNELS } from "./consent-channels.ts";

const FIELDS = ["optedIn", "merchantId", "channel", "contact", "status", "source", "updatedAt"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const consentCheck: Definition = {
  summary: "Say whether a contact has opted in",
  description:
    "Says whether a contact has opted in to a merchant's messages on a channel, and which record says so since when. " +
    "Exits with 0 when it has, and with 8 when it has opted out or nothing is recorded, so that a script can ask " +
    "`if msgctl consent check ...`. Any other exit code means that it is not known.\n\n" +
    "No record is no opt-in. Some messages need none: what a send needs by its type is said in " +
    "`msgctl consent record --help`.",
  arguments: [{ name: "contact", description: "Phone number in E.164 form, or email address." }],
  flags: [
    { flags: "--merchant-id <value>", description: "Merchant that would send.", complete: "merchantId" },
    {
      flags: "--channel <channel>",
      description: "How it would send; left out for an email address.",
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
      title: "The same for email, for a script",
      argv: ["consent", "check", "dana@patients.example", "--merchant-id", "bright-dental", "-o", "json"],
    },
  ],
};
