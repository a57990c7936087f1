import { SETTING_KEYS } from "../../call/access/setting-names.ts";
import type { Definition } from "../../model/command.ts";
import type { Output } from "../../model/record.ts";

const FIELDS = ["profile", "key", "value"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const configSet: Definition = {
  summary: "Change a setting of a profile",
  description:
    "Changes one setting of the current profile, or of --profile. It takes the same values as the flag of that " +
    'name; an empty value ("") removes the setting. The credential of the profile is sent to its baseUrl.',
  arguments: [
    { name: "key", description: `Name of the setting: ${SETTING_KEYS.join(", ")}.`, takes: SETTING_KEYS },
    { name: "value", description: 'New value; "" removes the setting.' },
  ],
  flags: [],
  output: OUTPUT,
  examples: [
    { title: "Print JSON by default", argv: ["config", "set", "output", "json"] },
    {
      title: "Wait longer for responses of one service",
      argv: ["config", "set", "timeout", "120", "--profile", "slow"],
    },
  ],
};
