import { openCredentialStore } from "../access/credential-store.ts";
import { changeFolder } from "../access/folder-lock.ts";
import {
  currentProfile,
  DEMO_PROFILE,
  refuseUnknownProfile,
  removeProfileSettings,
  writeCurrent,
} from "../access/profiles.ts";
import { ConfigurationError, UsageError } from "../errors.ts";
import { authLogout } from "./definitions/auth-logout.ts";
import { environmentRemark } from "./environment-remark.ts";
import { openLine } from "./open-line.ts";
import type { WrittenRun } from "./written-command.ts";

export const runAuthLogout: WrittenRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(authLogout, line, io, context);
  refuse([]);
  const { folder } = settings;
  const profile = options.profile ?? settings.profile ?? currentProfile(folder);
  if (profile === undefined) throw noProfile();
  if (profile === DEMO_PROFILE) throw demoProfile();
  refuseUnknownProfile(folder, profile);
  const forgotten = line.flags.forget === true;
  const removed = await changeFolder(folder, io.signal, () => {
    const hadOne = openCredentialStore(folder).remove(profile);
    if (forgotten) removeProfileSettings(folder, profile);
    if (forgotten && currentProfile(folder) === profile) writeCurrent(folder, undefined);
    return hadOne;
  });
  const remarks = [...(removed ? [] : ["There was no credential to remove."]), ...environmentRemark(settings)];
  await print({ profile, removed, forgotten }, remarks);
};

function noProfile(): ConfigurationError {
  return new ConfigurationError("profile_missing", "no profile is the current one", [
    "Give --profile <name>; `msgctl auth list` shows them.",
  ]);
}

function demoProfile(): UsageError {
  return new UsageError("the demo server keeps the credential of demo; there is none to remove", [
    "Give --profile <name>; `msgctl auth list` shows them.",
  ]);
}
