import { SETTING_KEYS } from "../../access/setting-names.ts";
import type { Output } from "../../record.ts";
import type { WrittenCommand } from "../written-command.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const configGet: WrittenCommand = {
  words: "config get",
  description:
    "Prints one setting of the current profile, or of the one that --profile names; nothing when it is not set.",
  arguments: [{ name: "key", description: `Name of the setting: ${SETTING_KEYS.join(", ")}.` }],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Where do commands go?", argv: ["config", "get", "baseUrl"] }],
};
