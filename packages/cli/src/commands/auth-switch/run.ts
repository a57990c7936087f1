import { changeFolder } from "../../call/access/folder-lock.ts";
import { DEMO_PROFILE, refuseUnknownProfile, writeCurrent } from "../../call/access/profiles.ts";
import { environmentRemark } from "../../call/environment-remark.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

export const runAuthSwitch: CommandRun = async (line, io, context) => {
  const { settings, refuse, print } = await openLine(line, io, context);
  refuse([]);
  const { folder } = settings;
  const profile = line.arguments.get("profile") ?? "";
  await changeFolder(folder, io, () => {
    if (profile !== DEMO_PROFILE) refuseUnknownProfile(folder, profile);
    writeCurrent(folder, profile);
  });
  const remarks = environmentRemark(settings);
  await print({ current: profile }, remarks);
};
