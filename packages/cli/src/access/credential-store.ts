/** Where the credentials of profiles are kept. There is one kind so far; a keychain would be another of this shape. */
import { join } from "node:path";
import { type JsonRecord, readPrivateJson, refuseLooseFolder } from "./private-file.ts";
import { replaceFile } from "./replace-file.ts";

export interface Credential {
  apiKey: string;
  apiSecret: string;
}

/** Synchronous, as every start reads one; `write` and `remove` only inside changeFolder (folder-lock.ts). */
export interface CredentialStore {
  /** One word, as `auth status` names it. */
  readonly kind: string;
  /** What the user would look for: a path, or the keychain's name. */
  readonly location: string;
  /** Undefined when the profile has none. */
  read(profile: string): Credential | undefined;
  write(profile: string, credential: Credential): void;
  /** Whether there was one. */
  remove(profile: string): boolean;
}

/** The store of the profiles in `folder`. */
export function openCredentialStore(folder: string): CredentialStore {
  return credentialFile(folder);
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

function asCredential(value: unknown): Credential | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { apiKey, apiSecret } = value as JsonRecord;
  return typeof apiKey === "string" && typeof apiSecret === "string" ? { apiKey, apiSecret } : undefined;
}
