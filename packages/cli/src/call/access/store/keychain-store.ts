/** Stores credentials in the system's keychain, one entry per profile. */

import { ConfigurationError } from "../../../failures/errors.ts";
import { readMessage } from "../../../failures/thrown.ts";
import { type CredentialStore, toCredential } from "./credential.ts";
import { KEYCHAIN_NAME, type Keychain, loadKeychain } from "./system-keychain.ts";

/** Opens the entries of the profiles in `folder`. The first method call loads the keychain's module. */
export function createKeychainStore(folder: string): CredentialStore {
  // The entry's name includes the folder, since several folders may have a profile of the same name.
  const formatAccount = (profile: string) => `${profile} of ${folder}`;
  return {
    kind: "keychain",
    location: KEYCHAIN_NAME,
    read(profile) {
      const text = ask(profile, (keychain) => keychain.read(formatAccount(profile)));
      const credential = text === null ? undefined : toCredential(parse(text));
      if (credential === undefined) throw lost(profile, text === null);
      return credential;
    },
    write(profile, { apiKey, apiSecret }) {
      ask(profile, (keychain) => keychain.write(formatAccount(profile), JSON.stringify({ apiKey, apiSecret })));
    },
    remove(profile) {
      return ask(profile, (keychain) => keychain.remove(formatAccount(profile)));
    },
  };
}

function ask<Result>(profile: string, act: (keychain: Keychain) => Result): Result {
  const keychain = loadKeychain();
  if (keychain === undefined) {
    throw unavailable(profile, "the optional package @napi-rs/keyring is not installed or does not load", [
      "Install msgctl with its optional dependencies.",
    ]);
  }
  try {
    return act(keychain);
  } catch (error) {
    throw unavailable(profile, readMessage(error), ["Unlock the keychain, then run the command again."]);
  }
}

function unavailable(profile: string, reason: string, hints: readonly string[]): ConfigurationError {
  const message = `the keychain (${KEYCHAIN_NAME}) of profile ${profile} cannot be used: ${reason}`;
  return new ConfigurationError("keychain_unavailable", message, [...hints, toFile(profile)]);
}

function lost(profile: string, isAbsent: boolean): ConfigurationError {
  const what = isAbsent ? "has no entry" : "has an entry that is not a credential";
  return new ConfigurationError(
    "credentials_missing",
    `the keychain (${KEYCHAIN_NAME}) ${what} for profile ${profile}, whose credential was stored there`,
    [`Run \`msgctl auth login --profile ${profile}\` to store it again.`],
  );
}

function toFile(profile: string): string {
  return `Or run \`msgctl auth login --profile ${profile} --store file\` to store it in a private file.`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
