import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "removed", "forgotten"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authLogout: Definition = {
  summary: "Remove a credential",
  description:
    "Removes the credential of a profile from this machine: of the current one, or of the one that --profile names. Its " +
    "settings stay, for the next login. The service keeps accepting the credential: have it revoked if it is not needed.",
  arguments: [],
  flags: [{ flags: "--forget", description: "Remove the settings of the profile too." }],
  output: OUTPUT,
  examples: [{ title: "Remove a credential", argv: ["auth", "logout", "--profile", "prod"] }],
};
