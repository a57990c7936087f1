import { ConfigurationError, UsageError } from "../../failures/errors.ts";
import type { Settings } from "../../process/config.ts";
import { currentProfile, DEMO_PROFILE, refuseUnknownProfile } from "./profiles.ts";

/** Returns the profile whose settings a command reads or changes. @throws {CliError} If none is set, or it is demo. */
export function configuredProfile(flag: string | undefined, { profile, folder }: Settings): string {
  const name = flag ?? profile ?? currentProfile(folder);
  if (name === undefined) {
    throw new ConfigurationError("profile_missing", "no current profile is set, and settings belong to a profile", [
      "Run `msgctl auth login`, or give --profile <name>.",
    ]);
  }
  if (name === DEMO_PROFILE) {
    throw new UsageError("profile demo has no settings: it always means the demo server of this folder", [
      "Give --profile <name>; `msgctl auth list` shows them.",
    ]);
  }
  refuseUnknownProfile(folder, name);
  return name;
}
