/** A credential, and the interface of its stores: a private file (file-store.ts) or the keychain (keychain-store.ts). */

/** The kinds of credential stores. */
export const STORE_KINDS = ["keychain", "file"] as const;

export type StoreKind = (typeof STORE_KINDS)[number];

export interface Credential {
  apiKey: string;
  apiSecret: string;
}

/** Its methods are synchronous. Call `write` and `remove` only inside changeFolder (folder-lock.ts). */
export interface CredentialStore {
  /** The kind as `auth status` prints it. */
  readonly kind: StoreKind;
  /** Where the user can find it: the path of the file, or the name of the keychain. */
  readonly location: string;
  /** Returns undefined if the profile has no credential. */
  read(profile: string): Credential | undefined;
  write(profile: string, credential: Credential): void;
  /** Returns whether the profile had a credential. */
  remove(profile: string): boolean;
}

/** Validates a stored value. Returns undefined if it is not a credential. */
export function toCredential(value: unknown): Credential | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { apiKey, apiSecret } = value as Record<string, unknown>;
  return typeof apiKey === "string" && typeof apiSecret === "string" ? { apiKey, apiSecret } : undefined;
}
