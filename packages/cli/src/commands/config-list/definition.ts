import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["key", "value", "meaning"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const configList: Definition = {
  aliases: ["ls"],
  summary: "List the settings of a profile",
  description:
    "Lists the settings there are, with their values in the current profile or in the one that --profile names.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "What can be set?", argv: ["config", "list"] }],
};
