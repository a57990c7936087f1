import { configuredProfile } from "../../call/access/named-profile.ts";
import { profileSettings } from "../../call/access/profiles.ts";
import { SETTING_KEYS, SETTING_MEANINGS } from "../../call/access/setting-names.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

export const runConfigList: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  refuse([]);
  const known = profileSettings(settings.folder, configuredProfile(options.profile, settings));
  const rows = SETTING_KEYS.map((key) => ({ key, value: known[key] ?? null, meaning: SETTING_MEANINGS[key] }));
  await print(rows);
};
