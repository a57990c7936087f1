import { ConfigurationError, UsageError } from "../../failures/errors.ts";
import type { Settings } from "../../process/config.ts";
import { currentProfile, DEMO_PROFILE, refuseUnknownProfile } from "./profiles.ts";

/** The profile whose settings a command is about. @throws {CliError} When none is named or current, or it has none. */
export function configuredProfile(flag: string | undefined, { profile, folder }: Settings): string {
  const name = flag ?? profile ?? currentProfile(folder);
  if (name === undefined) {
    throw new ConfigurationError("profile_missing", "no profile is the current one, and settings belong to a profile", [
      "Run `msgctl auth login`, or give --profile <name>.",
    ]);
  }
  if (name === DEMO_PROFILE) {
    throw new UsageError("demo has no settings: it is whatever demo server runs in this folder", [
      "Give --profile <name>; `msgctl auth list` shows them.",
    ]);
  }
  refuseUnknownProfile(folder, name);
  return name;
}
