/**
 * Puts a profile's credential into a store, or removes it. Even if a step fails or the process is killed, three things hold:
 * a credential is never paired with an address for which it was not given; the store named by `store` has a complete
 * credential or none; and `leftIn` names the store that may have another copy, which the next login or logout removes.
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
 * Stores a credential and makes its profile the current one. Call only inside changeFolder.
 *
 * @returns The reason why an old copy in another store could not be removed; undefined if there is none.
 * @throws {CliError} If the store cannot be written. The profile is then unchanged, or has no credential.
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
  // Without a recorded store, the file is in use as soon as it is written, so `leftIn` need not name it.
  const isUsedAtOnce = before === undefined && store === "file";
  if (before !== store && !isUsedAtOnce) writeProfileSettings(folder, profile, { leftIn: store });
  openStore(folder, store).write(profile, credential);
  // While a keychain waited for the user, another login may have given the profile another address.
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

/** Call only inside changeFolder. @returns Whether a credential was removed. @throws {CliError} If a keychain keeps a copy. */
export function removeCredential(folder: string, profile: string): boolean {
  const store = storeInUse(folder, profile);
  if (store === "file") openStore(folder).remove(profile);
  const wasLeft = removeLeft(folder, profile);
  const wasThere = store === "keychain" && openStore(folder, store).remove(profile);
  if (findStore(folder, profile) !== undefined) writeProfileSettings(folder, profile, { store: undefined });
  return store === "file" || wasLeft || wasThere;
}

/** Removes everything that the configuration has about the profile. Call only inside changeFolder. */
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

/** Gives the profile a new address and drops its credential. Opens no keychain: `leftIn` records a copy in it. */
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

/** The store in use. If none is recorded, the file is in use if it has a credential: a killed login may have written it. */
function storeInUse(folder: string, profile: string): StoreKind | undefined {
  const store = findStore(folder, profile);
  if (store === "keychain") return store;
  return openStore(folder).read(profile) === undefined ? undefined : "file";
}
