/**
 * Finds the credential and the address of a call: --profile, then the environment, then the current profile, then the
 * demo server of this folder. A credential is only ever sent to the address that came with it, or to one that the user
 * gave outright (--base-url, MSGCTL_BASE_URL).
 */
import type { Settings } from "../config.ts";
import { ConfigurationError } from "../errors.ts";
import type { Access } from "./access.ts";
import { BASE_URL_EXPECTED, isBaseUrl } from "./base-url.ts";
import { readDemoCredential } from "./demo-credential.ts";
import { currentProfile, DEMO_PROFILE, readProfile } from "./profiles.ts";

export interface AccessFlags {
  profile: string | undefined;
  baseUrl: string | undefined;
}

/** The access for a call, or a ConfigurationError that says what to set. */
export function resolveAccess(flags: AccessFlags, settings: Settings, cwd: string): Access {
  const found = findAccess(flags, settings, cwd);
  return flags.baseUrl === undefined ? { ...found, baseUrl: checkBaseUrl(found.baseUrl) } : at(flags.baseUrl, found);
}

type Found = Omit<Access, "baseUrl"> & { baseUrl: string | undefined };

function findAccess(flags: AccessFlags, settings: Settings, cwd: string): Found {
  if (flags.profile !== undefined) return named(flags.profile, settings.folder, cwd);
  const fromEnvironment = readEnvironmentCredential(settings);
  if (fromEnvironment !== undefined) return fromEnvironment;
  const profile = settings.profile ?? currentProfile(settings.folder);
  const found = profile === undefined ? readDemoCredential(cwd) : named(profile, settings.folder, cwd);
  if (found === undefined) throw nothingConfigured();
  return settings.baseUrl === undefined ? found : at(settings.baseUrl, found);
}

/** The credential at an address of the user's own, whatever it came with. */
function at(baseUrl: string, { apiKey, apiSecret }: Found): Access {
  return { apiKey, apiSecret, baseUrl: checkBaseUrl(baseUrl) };
}

function named(profile: string, folder: string, cwd: string): Found {
  if (profile !== DEMO_PROFILE) return readProfile(folder, profile);
  const demo = readDemoCredential(cwd);
  if (demo !== undefined) return demo;
  throw new ConfigurationError("demo_missing", "no demo server was started in this folder", [
    "Run `npm start` in the project's folder, and this command there in a second terminal.",
  ]);
}

function readEnvironmentCredential({ apiKey, apiSecret, baseUrl }: Settings): Found | undefined {
  if (apiKey !== undefined && apiSecret !== undefined) return { apiKey, apiSecret, baseUrl };
  if (apiKey === undefined && apiSecret === undefined) return undefined;
  const [present, absent] = apiKey === undefined ? ["SECRET", "KEY"] : ["KEY", "SECRET"];
  throw new ConfigurationError(
    "credentials_missing",
    `MSGCTL_API_${present} is set but MSGCTL_API_${absent} is not; a credential is both`,
    [`Set MSGCTL_API_${absent} too, or unset MSGCTL_API_${present} to use a profile.`],
  );
}

function nothingConfigured(): ConfigurationError {
  return new ConfigurationError("credentials_missing", "no credential is configured", [
    "Set MSGCTL_API_KEY, MSGCTL_API_SECRET and MSGCTL_BASE_URL, or write a profile: `msgctl help environment`.",
    "To try it without an account: run `npm start` in the project's folder, then add --profile demo.",
  ]);
}

function checkBaseUrl(baseUrl: string | undefined): string {
  if (baseUrl === undefined) {
    throw new ConfigurationError("base_url_missing", "no address of the service is configured", [
      "Set MSGCTL_BASE_URL, give --base-url, or add baseUrl to the profile.",
    ]);
  }
  if (isBaseUrl(baseUrl)) return baseUrl;
  throw new ConfigurationError(
    "base_url_invalid",
    `the address of the service is not usable; expected ${BASE_URL_EXPECTED}`,
    ["Correct MSGCTL_BASE_URL, or the baseUrl of the profile."],
  );
}
