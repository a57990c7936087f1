import type { WrittenCommand } from "../written-command.ts";

export const configList: WrittenCommand = {
  words: "config list",
  description:
    "Lists the settings there are, with their values in the current profile or in the one that --profile names.",
  arguments: [],
  flags: [],
  examples: [{ title: "What can be set?", argv: ["config", "list"] }],
};
