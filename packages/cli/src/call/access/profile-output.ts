import { readSettings } from "../../process/config.ts";
import type { Environment } from "../../process/io.ts";
import { profileSettings } from "./profiles.ts";
import { profileInUse } from "./resolve-access.ts";

/** The output format of the profile in use. Undefined if it cannot be read: the command itself reports that error. */
export function profileOutput(profile: string | undefined, env: Environment): string | undefined {
  try {
    const settings = readSettings(env);
    const name = profileInUse(profile, settings);
    const { output } = name === undefined ? {} : profileSettings(settings.folder, name);
    return typeof output === "string" ? output : undefined;
  } catch {
    return undefined;
  }
}
