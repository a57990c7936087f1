/** Where the credentials of profiles are kept: a private file, or the system's keychain (keychain-store.ts). */
import { join } from "node:path";
import { keychainStore } from "./keychain-store.ts";
import { type JsonRecord, readPrivateJson, refuseLooseFolder } from "./private-file.ts";
import { replaceFile } from "./replace-file.ts";
import type { StoreKind } from "./store-kind.ts";

export interface Credential {
  apiKey: string;
  apiSecret: string;
}

/** Synchronous, as every start reads one; `write` and `remove` only inside changeFolder (folder-lock.ts). */
export interface CredentialStore {
  /** One word, as `auth status` names it. */
  readonly kind: StoreKind;
  /** What the user would look for: a path, or the keychain's name. */
  readonly location: string;
  /** Undefined when the profile has none. */
  read(profile: string): Credential | undefined;
  write(profile: string, credential: Credential): void;
  /** Whether there was one. */
  remove(profile: string): boolean;
}

/** The store of the profiles in `folder`. A keychain is not touched before one of its methods is called. */
export function openCredentialStore(folder: string, kind: StoreKind = "file"): CredentialStore {
  return kind === "keychain" ? keychainStore(folder) : credentialFile(folder);
}

/** credentials.json: 0600 in a 0700 folder, refused when others may read either. */
function credentialFile(folder: string): CredentialStore {
  const location = join(folder, "credentials.json");
  const readAll = (): JsonRecord => {
    const all = readPrivateJson(location);
    if (all !== undefined) refuseLooseFolder(folder);
    return all ?? {};
  };
  const writeAll = (all: JsonRecord) => replaceFile(location, `${JSON.stringify(all, null, 2)}\n`);
  return {
    kind: "file",
    location,
    read(profile) {
      const all = readAll();
      return Object.hasOwn(all, profile) ? asCredential(all[profile]) : undefined;
    },
    write(profile, { apiKey, apiSecret }) {
      writeAll({ ...readAll(), [profile]: { apiKey, apiSecret } });
    },
    remove(profile) {
      const { [profile]: removed, ...others } = readAll();
      if (removed !== undefined) writeAll(others);
      return removed !== undefined;
    },
  };
}

/** What was stored as a credential; undefined when it is none. */
export function asCredential(value: unknown): Credential | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { apiKey, apiSecret } = value as JsonRecord;
  return typeof apiKey === "string" && typeof apiSecret === "string" ? { apiKey, apiSecret } : undefined;
}
