import type { Output } from "../../record.ts";
import type { WrittenCommand } from "../written-command.ts";

const FIELDS = ["profile", "current", "baseUrl", "credential"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authList = {
  words: "auth list",
  description:
    "Lists the profiles of this machine, which of them is the current one, and whether each has a credential; the demo " +
    "server of this folder stands among them.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Which profiles are there?", argv: ["auth", "list"] }],
} satisfies WrittenCommand;
