import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "source", "store", "location", "apiKey", "baseUrl", "accepted"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authStatus: Definition = {
  summary: "Show which credential is in use",
  description:
    "Shows which credential a command would use: its profile, where it comes from (flag, environment, profile or demo), " +
    "where it is kept, the address it is for, and whether the service accepts it. Exits with 3 when it does not, or when " +
    "there is none.",
  arguments: [],
  flags: [{ flags: "--no-check", description: "Do not ask the service." }],
  output: OUTPUT,
  requests: "some",
  examples: [
    { title: "See what is in use", argv: ["auth", "status"] },
    { title: "The same for a script", argv: ["auth", "status", "-o", "json"] },
  ],
};
