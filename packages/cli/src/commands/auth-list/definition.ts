import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "current", "baseUrl", "credential", "store"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authList: Definition = {
  aliases: ["ls"],
  summary: "List the profiles",
  description:
    "Lists the profiles of this machine, which of them is the current one, and whether each has a credential and in " +
    "which store. Includes the demo server of this folder. Does not open the keychain; `auth status` does.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "List the profiles", argv: ["auth", "list"] }],
};
