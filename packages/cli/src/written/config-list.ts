import { profileSettings } from "../access/profiles.ts";
import { SETTING_KEYS, SETTING_MEANINGS } from "../access/setting-names.ts";
import { configuredProfile } from "./config-profile.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runConfigList: WrittenRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  refuse([]);
  const known = profileSettings(settings.folder, configuredProfile(options.profile, settings));
  const rows = SETTING_KEYS.map((key) => ({ key, value: known[key] ?? null, meaning: SETTING_MEANINGS[key] }));
  await print(rows);
};
