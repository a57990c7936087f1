import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const configPath: Definition = {
  summary: "Print the folder of the configuration",
  description: "Prints the folder of profiles and settings, even if it does not exist yet.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Look at the profiles", argv: ["config", "path"] }],
};
