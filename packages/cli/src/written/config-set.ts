import { changeFolder } from "../access/folder-lock.ts";
import { writeProfileSettings } from "../access/profiles.ts";
import { SETTING_KEYS, settingKey, unknownKeyFault, valueFaults } from "../access/setting-keys.ts";
import type { Output } from "../record.ts";
import { configuredProfile } from "./config-profile.ts";
import { openLine } from "./open-line.ts";
import type { WrittenCommand } from "./written-command.ts";

const FIELDS = ["profile", "key", "value"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const configSet: WrittenCommand = {
  words: "config set",
  description:
    "Changes one setting of the current profile, or of the one that --profile names. A value is what the flag of that " +
    'name takes; an empty one ("") removes the setting. The credential of a profile goes to whatever baseUrl is.',
  arguments: [
    { name: "key", description: `Name of the setting: ${SETTING_KEYS.join(", ")}.` },
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
  async run(line, io, context) {
    const { settings, options, refuse, print } = await openLine(
      { words: "config set", output: OUTPUT },
      line,
      io,
      context,
    );
    const name = line.arguments.get("key") ?? "";
    const value = line.arguments.get("value") ?? "";
    const key = settingKey(name);
    if (key === undefined) refuse([unknownKeyFault(name)]);
    else refuse(value === "" ? [] : valueFaults(key, value));
    const { folder } = settings;
    const profile = configuredProfile(options.profile, settings);
    await changeFolder(folder, io.signal, () => {
      writeProfileSettings(folder, profile, { [name]: value === "" ? undefined : value });
    });
    const data = { profile, key: name, value: value === "" ? null : value };
    await print(data);
  },
};
