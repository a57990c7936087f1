import type { Output } from "../../record.ts";
import type { WrittenCommand } from "../written-command.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const configPath: WrittenCommand = {
  words: "config path",
  description: "Prints the folder that profiles and settings are read from. It need not exist.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Look at the profiles", argv: ["config", "path"] }],
};
