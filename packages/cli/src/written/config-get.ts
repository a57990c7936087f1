import { profileSettings } from "../access/profiles.ts";
import { settingKey, unknownKeyFault } from "../access/setting-keys.ts";
import { configuredProfile } from "./config-profile.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runConfigGet: WrittenRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  const name = line.arguments.get("key") ?? "";
  const key = settingKey(name);
  refuse(key === undefined ? [unknownKeyFault(name)] : []);
  const value = profileSettings(settings.folder, configuredProfile(options.profile, settings))[name] ?? null;
  if (value !== null || options.output !== "table") {
    await print(value);
  } else if (!options.quiet) io.stderr.write(`${name} is not set.\n`);
};
