import type { Output } from "../../record.ts";
import type { WrittenCommand } from "../written-command.ts";

const FIELDS = ["key", "value", "meaning"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const configList: WrittenCommand = {
  words: "config list",
  description:
    "Lists the settings there are, with their values in the current profile or in the one that --profile names.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "What can be set?", argv: ["config", "list"] }],
};
