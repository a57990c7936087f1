import { changeFolder } from "../access/folder-lock.ts";
import { writeProfileSettings } from "../access/profiles.ts";
import { settingKey, unknownKeyFault, valueFaults } from "../access/setting-keys.ts";
import { configuredProfile } from "./config-profile.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runConfigSet: WrittenRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
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
};
