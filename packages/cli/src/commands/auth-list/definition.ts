import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "current", "baseUrl", "credential", "store"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authList: Definition = {
  aliases: ["ls"],
  summary: "List the profiles",
  description:
    "Lists the profiles of this machine, which of them is the current one, and whether each has a credential and in " +
    "which store; the demo server of this folder stands among them. A keychain is not opened for it: `auth status` does that.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Which profiles are there?", argv: ["auth", "list"] }],
};
