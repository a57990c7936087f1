/**
 * Puts a profile's credential into a store, or removes it. Whatever fails, and whenever the process is killed: no
 * credential is paired with an address that it was not given for, `store` names a store with a complete credential or
 * none, and `leftIn` names where another copy may be, which the next login or logout removes.
 */
import { CliError, ConfigurationError } from "../../failures/errors.ts";
import type { Lock } from "./lock.ts";
import {
  currentProfile,
  findLeftover,
  findStore,
  profileSettings,
  removeProfileSettings,
  writeCurrent,
  writeProfileSettings,
} from "./profiles.ts";
import type { Credential, StoreKind } from "./store/credential.ts";
import { openStore } from "./store/open-store.ts";

export interface Stored {
  credential: Credential;
  baseUrl: string;
  store: StoreKind;
}

/**
 * Also makes the profile the current one. Call only inside changeFolder.
 *
 * @returns Why a copy had to stay in another store, if one had to.
 * @throws {CliError} When the store cannot be written: the profile is then as it was, or has no credential.
 */
export function storeCredential(
  folder: string,
  profile: string,
  { credential, baseUrl, store }: Stored,
  lock: Pick<Lock, "renew">,
): string | undefined {
  if (findLeftover(folder, profile) === "file") removeLeft(folder, profile);
  if (profileSettings(folder, profile).baseUrl !== baseUrl) disuse(folder, profile, baseUrl);
  const before = storeInUse(folder, profile);
  const left = findLeftover(folder, profile);
  // Without a recorded store the file is the one in use: a write to it that was cut short is no leftover.
  const isUsedAtOnce = before === undefined && store === "file";
  if (before !== store && !isUsedAtOnce) writeProfileSettings(folder, profile, { leftIn: store });
  openStore(folder, store).write(profile, credential);
  // A keychain may wait for the user while another login gives the profile another address.
  if (!lock.renew()) {
    openStore(folder, store).remove(profile);
    throw new ConfigurationError(
      "configuration_busy",
      "another msgctl changed the profiles at the same time; the credential was not stored",
      [`Run \`msgctl auth login --profile ${profile}\` again.`],
    );
  }
  const other = [before, left].find((kind) => kind !== undefined && kind !== store);
  writeProfileSettings(folder, profile, { store, leftIn: other });
  if (currentProfile(folder) !== profile) writeCurrent(folder, profile);
  return catchProblem(() => removeLeft(folder, profile));
}

/** Only inside changeFolder. @returns Whether there was one. @throws {CliError} When a keychain still has a copy. */
export function removeCredential(folder: string, profile: string): boolean {
  const store = storeInUse(folder, profile);
  if (store === "file") openStore(folder).remove(profile);
  const wasLeft = removeLeft(folder, profile);
  const wasThere = store === "keychain" && openStore(folder, store).remove(profile);
  if (findStore(folder, profile) !== undefined) writeProfileSettings(folder, profile, { store: undefined });
  return store === "file" || wasLeft || wasThere;
}

/** Removes everything recorded about the profile. Call only inside changeFolder. */
export function forgetProfile(folder: string, profile: string): void {
  removeProfileSettings(folder, profile);
  if (currentProfile(folder) === profile) writeCurrent(folder, undefined);
}

/** Runs `act` and returns the message of a CliError instead of throwing it. */
export function catchProblem(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

/** Gives the profile an address for which it has no credential yet, without opening a keychain. */
function disuse(folder: string, profile: string, baseUrl: string): void {
  const store = storeInUse(folder, profile);
  if (store === "file") openStore(folder).remove(profile);
  const left = store === "keychain" ? store : findLeftover(folder, profile);
  writeProfileSettings(folder, profile, { baseUrl, store: undefined, leftIn: left });
}

function removeLeft(folder: string, profile: string): boolean {
  const left = findLeftover(folder, profile);
  if (left === undefined) return false;
  const wasThere = openStore(folder, left).remove(profile);
  writeProfileSettings(folder, profile, { leftIn: undefined });
  return wasThere;
}

/** The store in use: without a recorded one the file, which a login that was killed may have written. */
function storeInUse(folder: string, profile: string): StoreKind | undefined {
  const store = findStore(folder, profile);
  if (store === "keychain") return store;
  return openStore(folder).read(profile) === undefined ? undefined : "file";
}
