/** The settings that a profile can have. Each except the address is the default of a global flag. */

import { ConfigurationError, type Fault } from "../../failures/errors.ts";
import { didYouMean } from "../../failures/similar.ts";
import { readGlobalOptions } from "../../flags/global-options.ts";
import type { Settings } from "../../process/config.ts";
import { profileSettings } from "./profiles.ts";
import { profileInUse } from "./resolve-access.ts";
import { SETTING_KEYS, type SettingKey } from "./setting-names.ts";

/** Returns the setting key that a text names; undefined if there is none. */
export function settingKey(text: string): SettingKey | undefined {
  return SETTING_KEYS.find((key) => key === text);
}

/** The fault for a name that is not a setting. For names of credentials it points to `auth login`. */
export function unknownKeyFault(text: string): Fault {
  const isSecret = /key|secret|token|password/i.test(text);
  const advice = isSecret ? "; to store a credential, run msgctl auth login" : didYouMean(text, SETTING_KEYS);
  return {
    where: "<key>",
    message: `received ${JSON.stringify(text)}; expected one of ${SETTING_KEYS.join(", ")}${advice}`,
  };
}

/** Checks a value by the rules of the flag with the same name. Returns its faults. */
export function valueFaults(key: SettingKey, value: string): Fault[] {
  const { faults } = readGlobalOptions({ [key]: value }, { output: undefined }, NO_COMMAND);
  return faults.map(({ message }) => ({ where: "<value>", message }));
}

/** Fills in omitted flags from the profile. @throws {ConfigurationError} If a setting of the profile is invalid. */
export function withProfileDefaults(flags: Record<string, unknown>, settings: Settings): Record<string, unknown> {
  const profile = profileInUse(typeof flags.profile === "string" ? flags.profile : undefined, settings);
  if (profile === undefined) return flags;
  const known = profileSettings(settings.folder, profile);
  const defaults: Record<string, unknown> = {};
  for (const key of SETTING_KEYS) {
    const isGiven =
      key === "baseUrl" || flags[key] !== undefined || (key === "output" && settings.output !== undefined);
    const value = known[key];
    if (!isGiven && value !== undefined) defaults[key] = checked(profile, key, String(value));
  }
  return { ...defaults, ...flags };
}

function checked(profile: string, key: SettingKey, value: string): string {
  const [fault] = valueFaults(key, value);
  if (fault === undefined) return value;
  throw new ConfigurationError("configuration_invalid", `setting ${key} of profile ${profile}: ${fault.message}`, [
    `Run \`msgctl config set ${key} <value> --profile ${profile}\`.`,
  ]);
}

const NO_COMMAND = { output: { kind: "none", columns: [], fields: [], secrets: [] }, idempotent: false } as const;
