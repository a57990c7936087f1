import { changeFolder } from "../../call/access/folder-lock.ts";
import { catchProblem, forgetProfile, removeCredential } from "../../call/access/profile-credentials.ts";
import { currentProfile, DEMO_PROFILE, refuseUnknownProfile } from "../../call/access/profiles.ts";
import { environmentRemark } from "../../call/environment-remark.ts";
import { ConfigurationError, UsageError } from "../../failures/errors.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { openLine } from "../../operation/open-line.ts";

export const runAuthLogout: CommandRun = async (line, io, context) => {
  const { settings, options, refuse, print } = await openLine(line, io, context);
  refuse([]);
  const { folder } = settings;
  const profile = options.profile ?? settings.profile ?? currentProfile(folder);
  if (profile === undefined) throw noProfile();
  if (profile === DEMO_PROFILE) throw demoProfile();
  refuseUnknownProfile(folder, profile);
  const forgotten = line.flags.forget === true;
  let removed = false;
  const problem = await changeFolder(folder, io, () => {
    const remove = () => {
      removed = removeCredential(folder, profile);
    };
    // --forget must work even if the profile's keychain no longer exists.
    const left = forgotten ? catchProblem(remove) : remove();
    if (forgotten) forgetProfile(folder, profile);
    return left;
  });
  const remarks = [
    ...(problem === undefined ? [] : [`A copy may be left: ${problem}`]),
    ...(removed || problem !== undefined ? [] : ["There was no credential to remove."]),
    ...environmentRemark(settings),
  ];
  await print({ profile, removed, forgotten }, remarks);
};

function noProfile(): ConfigurationError {
  return new ConfigurationError("profile_missing", "no current profile is set", [
    "Give --profile <name>; `msgctl auth list` shows them.",
  ]);
}

function demoProfile(): UsageError {
  return new UsageError("the profile demo uses the demo server's own credential, which msgctl cannot remove", [
    "Give --profile <name>; `msgctl auth list` shows them.",
  ]);
}
