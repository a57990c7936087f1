import { configuredProfile } from "../../call/access/named-profile.ts";
import { profileSettings } from "../../call/access/profiles.ts";
import { settingKey, unknownKeyFault } from "../../call/access/setting-keys.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

export const runConfigGet: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  const name = line.arguments.get("key") ?? "";
  const key = settingKey(name);
  refuse(key === undefined ? [unknownKeyFault(name)] : []);
  const value = profileSettings(settings.folder, configuredProfile(options.profile, settings))[name] ?? null;
  if (value !== null || options.output !== "table") {
    await print(value);
  } else if (!options.quiet) io.stderr.write(`${name} is not set.\n`);
};
