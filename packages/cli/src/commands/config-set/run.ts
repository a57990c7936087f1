import { changeFolder } from "../../call/access/folder-lock.ts";
import { configuredProfile } from "../../call/access/named-profile.ts";
import { writeProfileSettings } from "../../call/access/profiles.ts";
import { settingKey, unknownKeyFault, valueFaults } from "../../call/access/setting-keys.ts";
import { toBaseUrl } from "../../flags/base-url.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

export const runConfigSet: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  const name = line.arguments.get("key") ?? "";
  const given = line.arguments.get("value") ?? "";
  const value = (name === "baseUrl" ? toBaseUrl(given) : undefined) ?? given;
  const key = settingKey(name);
  if (key === undefined) refuse([unknownKeyFault(name)]);
  else refuse(value === "" ? [] : valueFaults(key, value));
  const { folder } = settings;
  const profile = configuredProfile(options.profile, settings);
  await changeFolder(folder, io, () => {
    writeProfileSettings(folder, profile, { [name]: value === "" ? undefined : value });
  });
  const data = { profile, key: name, value: value === "" ? null : value };
  await print(data);
};
