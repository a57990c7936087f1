import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["key", "value", "meaning"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const configList: Definition = {
  aliases: ["ls"],
  summary: "List the settings of a profile",
  description: "Lists all settings with their values in the current profile, or in --profile.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "List the settings", argv: ["config", "list"] }],
};
