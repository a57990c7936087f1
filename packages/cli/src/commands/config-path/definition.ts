import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const configPath: Definition = {
  summary: "Print the folder of the configuration",
  description: "Prints the folder that profiles and settings are read from. It need not exist.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Look at the profiles", argv: ["config", "path"] }],
};
