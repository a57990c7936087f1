/**
 * Profiles of the user: addresses in config.json, which holds no secret, and credentials beside it in credentials.json,
 * which nobody else may read.
 */
import { join } from "node:path";
import { ConfigurationError } from "../errors.ts";
import { didYouMean } from "../similar.ts";
import type { Access } from "./access.ts";
import { readJson, readPrivateJson } from "./private-file.ts";

/** Name of the profile that is the demo server of the present folder; no profile of the user can have it. */
export const DEMO_PROFILE = "demo";

type JsonRecord = Readonly<Record<string, unknown>>;

/** The name of the profile that config.json marks as current. */
export function currentProfile(folder: string): string | undefined {
  const { current } = readJson(join(folder, "config.json")) ?? {};
  return typeof current === "string" && current !== "" ? current : undefined;
}

/** The address and credential of a profile; the address is undefined when it has none. */
export function readProfile(folder: string, name: string): Omit<Access, "baseUrl"> & { baseUrl: string | undefined } {
  const path = join(folder, "config.json");
  const credentialsPath = join(folder, "credentials.json");
  const profiles = objectAt(readJson(path) ?? {}, "profiles");
  const credentials = readPrivateJson(credentialsPath) ?? {};
  if (!Object.hasOwn(profiles, name) && !Object.hasOwn(credentials, name)) {
    throw unknownProfile(name, [DEMO_PROFILE, ...Object.keys(profiles)], path);
  }
  const { apiKey, apiSecret } = objectAt(credentials, name);
  if (typeof apiKey !== "string" || typeof apiSecret !== "string") {
    throw new ConfigurationError("credentials_missing", `profile ${name} has no credential`, [
      `Add { "${name}": { "apiKey": …, "apiSecret": … } } to ${credentialsPath} (mode 0600), or set MSGCTL_API_KEY and MSGCTL_API_SECRET.`,
    ]);
  }
  const { baseUrl } = objectAt(profiles, name);
  return { baseUrl: typeof baseUrl === "string" ? baseUrl : undefined, apiKey, apiSecret };
}

function unknownProfile(name: string, known: readonly string[], path: string): ConfigurationError {
  return new ConfigurationError(
    "profile_unknown",
    `there is no profile ${JSON.stringify(name)}; expected ${known.join(", ")}${didYouMean(name, known)}`,
    [`Profiles are read from ${path}; \`msgctl help environment\` shows what it looks like.`],
  );
}

function objectAt(record: JsonRecord, name: string): JsonRecord {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return typeof value === "object" && value !== null ? (value as JsonRecord) : {};
}
