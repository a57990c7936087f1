import type { WrittenCommand } from "../written-command.ts";

export const configPath: WrittenCommand = {
  words: "config path",
  description: "Prints the folder that profiles and settings are read from. It need not exist.",
  arguments: [],
  flags: [],
  examples: [{ title: "Look at the profiles", argv: ["config", "path"] }],
};
