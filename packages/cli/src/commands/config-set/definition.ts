import { SETTING_KEYS } from "../../call/access/setting-names.ts";
import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "key", "value"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const configSet: Definition = {
  summary: "Change a setting of a profile",
  description:
    "Changes one setting of the current profile, or of the one that --profile names. A value is what the flag of that " +
    'name takes; an empty one ("") removes the setting. The credential of a profile goes to whatever baseUrl is.',
  arguments: [
    { name: "key", description: `Name of the setting: ${SETTING_KEYS.join(", ")}.`, takes: SETTING_KEYS },
    { name: "value", description: "Its value, or an empty one." },
  ],
  flags: [],
  output: OUTPUT,
  examples: [
    { title: "Have JSON from every command", argv: ["config", "set", "output", "json"] },
    {
      title: "Wait longer for the answers of one service",
      argv: ["config", "set", "timeout", "120", "--profile", "slow"],
    },
  ],
};
