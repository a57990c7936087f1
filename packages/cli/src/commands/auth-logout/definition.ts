import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "removed", "forgotten"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authLogout: Definition = {
  summary: "Remove a credential",
  description:
    "Removes the credential of the current profile, or of --profile, from this machine. The profile's " +
    "settings stay for the next login. The service still accepts the credential: revoke it if it is no longer needed.",
  arguments: [],
  flags: [{ flags: "--forget", description: "Also remove the settings of the profile." }],
  output: OUTPUT,
  examples: [{ title: "Remove a credential", argv: ["auth", "logout", "--profile", "prod"] }],
};
