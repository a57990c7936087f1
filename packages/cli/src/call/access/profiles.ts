/**
 * The user's profiles. Their settings are in config.json, which holds no secret; their credentials are in separate stores
 * (store/).
 */
import { join } from "node:path";
import { ConfigurationError } from "../../failures/errors.ts";
import { didYouMean } from "../../failures/similar.ts";
import { type JsonRecord, readJson } from "./private-file.ts";
import { replaceFile } from "./replace-file.ts";
import { type Credential, STORE_KINDS, type StoreKind } from "./store/credential.ts";
import { openStore } from "./store/open-store.ts";

/** Reserved name of the profile that means the current folder's demo server. */
export const DEMO_PROFILE = "demo";

/** The name of the profile that config.json marks as current. */
export function currentProfile(folder: string): string | undefined {
  const { current } = readConfig(folder);
  return typeof current === "string" && current !== "" ? current : undefined;
}

/** The names of the profiles that have settings, in the order of config.json. */
export function profileNames(folder: string): string[] {
  return Object.keys(objectAt(readConfig(folder), "profiles"));
}

/** The unchecked settings of a profile in config.json; empty if the file does not have the profile. */
export function profileSettings(folder: string, name: string): JsonRecord {
  return objectAt(objectAt(readConfig(folder), "profiles"), name);
}

/** The store that config.json records for the profile's credential; undefined until a login has finished. */
export function findStore(folder: string, name: string): StoreKind | undefined {
  return storeNamed(profileSettings(folder, name).store);
}

/** Another store in which a killed login may have left a credential of the profile. */
export function findLeftover(folder: string, name: string): StoreKind | undefined {
  return storeNamed(profileSettings(folder, name).leftIn);
}

function storeNamed(value: unknown): StoreKind | undefined {
  return STORE_KINDS.find((kind) => kind === value);
}

/** The address and credential of a profile; the address is undefined if the profile does not set one. */
export function readProfile(folder: string, name: string): Credential & { baseUrl: string | undefined } {
  const credential = openStore(folder, findStore(folder, name) ?? "file").read(name);
  if (credential === undefined) {
    refuseUnknownProfile(folder, name);
    throw new ConfigurationError("credentials_missing", `profile ${name} has no credential`, [
      `Run \`msgctl auth login --profile ${name}\`, or set MSGCTL_API_KEY and MSGCTL_API_SECRET.`,
    ]);
  }
  const { baseUrl } = profileSettings(folder, name);
  return { baseUrl: typeof baseUrl === "string" ? baseUrl : undefined, ...credential };
}

/** @throws {ConfigurationError} When the profile is unknown. */
export function refuseUnknownProfile(folder: string, name: string): void {
  const names = profileNames(folder);
  if (names.includes(name)) return;
  const known = [DEMO_PROFILE, ...names];
  throw new ConfigurationError(
    "profile_unknown",
    `there is no profile ${JSON.stringify(name)}; expected ${known.join(", ")}${didYouMean(name, known)}`,
    [`\`msgctl auth list\` shows the profiles of ${configPath(folder)}; \`msgctl auth login\` creates one.`],
  );
}

/** Makes a profile the current one, or none. Call this and the functions below only inside changeFolder. */
export function writeCurrent(folder: string, name: string | undefined): void {
  const { current: _, ...rest } = readConfig(folder);
  writeConfig(folder, name === undefined ? rest : { current: name, ...rest });
}

/** Changes settings of a profile and creates it if missing. An undefined value removes the setting. */
export function writeProfileSettings(folder: string, name: string, changed: JsonRecord): void {
  const config = readConfig(folder);
  const settings = { ...profileSettings(folder, name), ...changed };
  // JSON.stringify omits undefined values, so removed settings are not written.
  writeConfig(folder, { ...config, profiles: { ...objectAt(config, "profiles"), [name]: settings } });
}

/** Removes the settings of a profile. */
export function removeProfileSettings(folder: string, name: string): void {
  const config = readConfig(folder);
  const { [name]: _, ...profiles } = objectAt(config, "profiles");
  writeConfig(folder, { ...config, profiles });
}

function configPath(folder: string): string {
  return join(folder, "config.json");
}

function readConfig(folder: string): JsonRecord {
  return readJson(configPath(folder)) ?? {};
}

function writeConfig(folder: string, config: JsonRecord): void {
  replaceFile(configPath(folder), `${JSON.stringify(config, null, 2)}\n`);
}

function objectAt(record: JsonRecord, name: string): JsonRecord {
  const value = Object.hasOwn(record, name) ? record[name] : undefined;
  return typeof value === "object" && value !== null ? (value as JsonRecord) : {};
}
