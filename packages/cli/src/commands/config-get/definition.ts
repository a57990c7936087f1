import { SETTING_KEYS } from "../../call/access/setting-names.ts";
import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const OUTPUT: Output = { kind: "text", columns: [], fields: [], secrets: [] };

export const configGet: Definition = {
  summary: "Print a setting of a profile",
  description: "Prints one setting of the current profile, or of --profile. Prints nothing if it is not set.",
  arguments: [{ name: "key", description: `Name of the setting: ${SETTING_KEYS.join(", ")}.`, takes: SETTING_KEYS }],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "Print the service address", argv: ["config", "get", "baseUrl"] }],
};
