import { changeFolder } from "../access/folder-lock.ts";
import { currentProfile, DEMO_PROFILE, refuseUnknownProfile } from "../access/profiles.ts";
import { forgetProfile, problemOf, removeCredential } from "../access/store-credential.ts";
import { ConfigurationError, UsageError } from "../errors.ts";
import type { Output } from "../record.ts";
import { environmentRemark } from "./environment-remark.ts";
import { openLine } from "./open-line.ts";
import type { WrittenCommand } from "./written-command.ts";

const FIELDS = ["profile", "removed", "forgotten"];
const OUTPUT: Output = { kind: "object", columns: FIELDS, fields: FIELDS, secrets: [] };

export const authLogout: WrittenCommand = {
  words: "auth logout",
  description:
    "Removes the credential of a profile from this machine: of the current one, or of the one that --profile names. Its " +
    "settings stay, for the next login. The service keeps accepting the credential: have it revoked if it is not needed.",
  arguments: [],
  flags: [{ flags: "--forget", description: "Remove the settings of the profile too." }],
  examples: [{ title: "Remove a credential", argv: ["auth", "logout", "--profile", "prod"] }],
  async run(line, io, context) {
    const { settings, options, refuse, print } = await openLine(
      { words: "auth logout", output: OUTPUT },
      line,
      io,
      context,
    );
    refuse([]);
    const { folder } = settings;
    const profile = options.profile ?? settings.profile ?? currentProfile(folder);
    if (profile === undefined) throw noProfile();
    if (profile === DEMO_PROFILE) throw demoProfile();
    refuseUnknownProfile(folder, profile);
    const forgotten = line.flags.forget === true;
    let removed = false;
    const problem = await changeFolder(folder, io.signal, () => {
      const remove = () => {
        removed = removeCredential(folder, profile);
      };
      // Whoever forgets a profile must be able to, even if its keychain is gone.
      const left = forgotten ? problemOf(remove) : remove();
      if (forgotten) forgetProfile(folder, profile);
      return left;
    });
    const remarks = [
      ...(problem === undefined ? [] : [`A copy may be left: ${problem}`]),
      ...(removed || problem !== undefined ? [] : ["There was no credential to remove."]),
      ...environmentRemark(settings),
    ];
    await print({ profile, removed, forgotten }, remarks);
  },
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
