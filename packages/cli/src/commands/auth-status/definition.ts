import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "source", "store", "location", "apiKey", "baseUrl", "accepted"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authStatus: Definition = {
  summary: "Show which credential is in use",
  description:
    "Shows the credential that commands use: its profile, where it comes from (flag, environment, profile or demo), " +
    "where it is stored, its service address, and whether the service accepts it. Exits with 3 if it does not, or if " +
    "there is none.",
  arguments: [],
  flags: [{ flags: "--no-check", description: "Do not check the credential with the service." }],
  output: OUTPUT,
  requests: "some",
  examples: [
    { title: "Show the credential in use", argv: ["auth", "status"] },
    { title: "The same for a script", argv: ["auth", "status", "-o", "json"] },
  ],
};
