/**
 * Finds the credential and the address of a call. The first source that has a credential wins: --profile, the environment,
 * the current profile, the demo server of this folder. A credential is sent only to the address from the same source, or to
 * one that the user gave explicitly (--base-url, MSGCTL_BASE_URL).
 */

import { ConfigurationError } from "../../failures/errors.ts";
import { BASE_URL_EXPECTED, toBaseUrl } from "../../flags/base-url.ts";
import type { Settings } from "../../process/config.ts";
import { findProxy } from "../proxy/find-proxy.ts";
import type { Access } from "./access.ts";
import { demoCredentialPath, readDemoCredential } from "./demo-credential.ts";
import { currentProfile, DEMO_PROFILE, findStore, readProfile } from "./profiles.ts";
import { openStore } from "./store/open-store.ts";

export interface AccessFlags {
  profile: string | undefined;
  baseUrl: string | undefined;
}

/** Returns the access for a call. @throws {ConfigurationError} Naming the setting to add or correct. */
export function resolveAccess(flags: AccessFlags, settings: Settings, cwd: string): Access {
  return locateAccess(flags, settings, cwd).access;
}

/** Where a credential comes from. */
export interface Origin {
  /** `flag`: a profile named by --profile. */
  source: "flag" | "environment" | "profile" | "demo";
  /** Undefined for a credential from environment variables. */
  profile: string | undefined;
  /** The kind of store that holds the credential. */
  store: string;
  /** The path or the name of the store. */
  location: string;
}

/** Returns the access for a call, and where its credential comes from. Throws as resolveAccess does. */
export function locateAccess(flags: AccessFlags, settings: Settings, cwd: string): { access: Access; origin: Origin } {
  const { origin, ...found } = findAccess(flags, settings, cwd);
  const access =
    flags.baseUrl === undefined ? { ...found, baseUrl: checkBaseUrl(found.baseUrl) } : at(flags.baseUrl, found);
  refuseUnsendable(access, origin);
  const proxy = findProxy(settings.proxies, access.baseUrl);
  return { access: proxy === undefined ? access : { ...access, proxy }, origin };
}

/** Refuses a key or secret that an HTTP header cannot carry. The error shows neither. */
function refuseUnsendable({ apiKey, apiSecret }: Access, { location }: Origin): void {
  const wrong = [apiKey, apiSecret].map((value) => /^[!-~]+$/.test(value)).indexOf(false);
  if (wrong < 0) return;
  const message = `the API ${["key", "secret"][wrong]} in ${location} is not valid; expected printable ASCII characters without spaces`;
  throw new ConfigurationError("credentials_unusable", message, [
    "Copy it again, then run `msgctl auth login` to replace it.",
  ]);
}

type Found = Omit<Access, "baseUrl"> & { baseUrl: string | undefined };

/** The profile whose credential and settings a command uses; undefined for the environment and for the demo server. */
export function profileInUse(profile: string | undefined, settings: Settings): string | undefined {
  if (profile !== undefined) return profile;
  const { apiKey, apiSecret, folder } = settings;
  return apiKey === undefined && apiSecret === undefined ? (settings.profile ?? currentProfile(folder)) : undefined;
}

function findAccess(flags: AccessFlags, settings: Settings, cwd: string): Found & { origin: Origin } {
  const isNamed = flags.profile !== undefined;
  const fromEnvironment = isNamed ? undefined : readEnvironmentCredential(settings);
  if (fromEnvironment !== undefined) {
    const location = "MSGCTL_API_KEY, MSGCTL_API_SECRET";
    const origin: Origin = { source: "environment", profile: undefined, store: "environment", location };
    return { ...fromEnvironment, origin };
  }
  const profile = profileInUse(flags.profile, settings);
  const found = profile === undefined ? readDemoCredential(cwd) : named(profile, settings.folder, cwd);
  if (found === undefined) throw nothingConfigured();
  const origin = describeOrigin(profile ?? DEMO_PROFILE, isNamed, settings.folder, cwd);
  // with --profile, the address of the profile counts, not MSGCTL_BASE_URL
  const isMoved = !isNamed && settings.baseUrl !== undefined;
  return { ...(isMoved ? at(settings.baseUrl, found) : found), origin };
}

function describeOrigin(profile: string, isNamed: boolean, folder: string, cwd: string): Origin {
  const isDemo = profile === DEMO_PROFILE;
  const { kind, location } = openStore(folder, findStore(folder, profile) ?? "file");
  const where = isDemo ? { store: "file", location: demoCredentialPath(cwd) } : { store: kind, location };
  return { source: isNamed ? "flag" : isDemo ? "demo" : "profile", profile, ...where };
}

/** Replaces the address of the access with one that the user gave explicitly. */
function at(baseUrl: string | undefined, { apiKey, apiSecret }: Found): Access {
  return { apiKey, apiSecret, baseUrl: checkBaseUrl(baseUrl) };
}

function named(profile: string, folder: string, cwd: string): Found {
  if (profile !== DEMO_PROFILE) return readProfile(folder, profile);
  const demo = readDemoCredential(cwd);
  if (demo !== undefined) return demo;
  throw new ConfigurationError("demo_missing", "no demo server was started in this folder", [
    "Run `npm start` in the project's folder, then this command there in a second terminal.",
  ]);
}

function readEnvironmentCredential({ apiKey, apiSecret, baseUrl }: Settings): Found | undefined {
  if (apiKey !== undefined && apiSecret !== undefined) return { apiKey, apiSecret, baseUrl };
  if (apiKey === undefined && apiSecret === undefined) return undefined;
  const [present, absent] = apiKey === undefined ? ["SECRET", "KEY"] : ["KEY", "SECRET"];
  throw new ConfigurationError(
    "credentials_missing",
    `MSGCTL_API_${present} is set but MSGCTL_API_${absent} is not; a credential needs both`,
    [`Set MSGCTL_API_${absent} too, or unset MSGCTL_API_${present} to use a profile.`],
  );
}

function nothingConfigured(): ConfigurationError {
  return new ConfigurationError("credentials_missing", "no credential is configured", [
    "Run `msgctl auth login`, or set MSGCTL_API_KEY, MSGCTL_API_SECRET and MSGCTL_BASE_URL.",
    "To try it without an account: run `npm start` in the project's folder, then add --profile demo.",
  ]);
}

function checkBaseUrl(text: string | undefined): string {
  if (text === undefined) {
    throw new ConfigurationError("base_url_missing", "no service address is configured", [
      "Set MSGCTL_BASE_URL, give --base-url, or run `msgctl config set baseUrl <url>`.",
    ]);
  }
  const baseUrl = toBaseUrl(text);
  if (baseUrl !== undefined) return baseUrl;
  throw new ConfigurationError("base_url_invalid", `the service address is not valid; expected ${BASE_URL_EXPECTED}`, [
    "Correct MSGCTL_BASE_URL, or the baseUrl of the profile.",
  ]);
}
