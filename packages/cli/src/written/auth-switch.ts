import { changeFolder } from "../access/folder-lock.ts";
import { DEMO_PROFILE, refuseUnknownProfile, writeCurrent } from "../access/profiles.ts";
import { environmentRemark } from "./environment-remark.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runAuthSwitch: WrittenRun = async (line, io, context) => {
  const { settings, refuse, print } = await openLine(line, io, context);
  refuse([]);
  const { folder } = settings;
  const profile = line.arguments.get("profile") ?? "";
  await changeFolder(folder, io.signal, () => {
    if (profile !== DEMO_PROFILE) refuseUnknownProfile(folder, profile);
    writeCurrent(folder, profile);
  });
  const remarks = environmentRemark(settings);
  await print({ current: profile }, remarks);
};
