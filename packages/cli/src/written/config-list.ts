import { profileSettings } from "../access/profiles.ts";
import { SETTING_KEYS, SETTING_MEANINGS } from "../access/setting-keys.ts";
import type { Output } from "../record.ts";
import { configuredProfile } from "./config-profile.ts";
import { openLine } from "./open-line.ts";
import type { WrittenCommand } from "./written-command.ts";

const FIELDS = ["key", "value", "meaning"];
const OUTPUT: Output = { kind: "list", columns: FIELDS, fields: FIELDS, secrets: [] };

export const configList: WrittenCommand = {
  words: "config list",
  description:
    "Lists the settings there are, with their values in the current profile or in the one that --profile names.",
  arguments: [],
  flags: [],
  output: OUTPUT,
  examples: [{ title: "What can be set?", argv: ["config", "list"] }],
  async run(line, io, context) {
    const { settings, options, refuse, print } = await openLine(
      { words: "config list", output: OUTPUT },
      line,
      io,
      context,
    );
    refuse([]);
    const known = profileSettings(settings.folder, configuredProfile(options.profile, settings));
    const rows = SETTING_KEYS.map((key) => ({ key, value: known[key] ?? null, meaning: SETTING_MEANINGS[key] }));
    await print(rows);
  },
};
