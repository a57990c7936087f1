/** A credential, and the stores that keep them: a private file (file-store.ts) or the keychain (keychain-store.ts). */

/** Kinds of stores for credentials. */
export const STORE_KINDS = ["keychain", "file"] as const;

export type StoreKind = (typeof STORE_KINDS)[number];

export interface Credential {
  apiKey: string;
  apiSecret: string;
}

/** Synchronous, as every start reads one. Call `write` and `remove` only inside changeFolder (folder-lock.ts). */
export interface CredentialStore {
  /** One word, as `auth status` names it. */
  readonly kind: StoreKind;
  /** The name that the user would search for: a path, or the keychain's name. */
  readonly location: string;
  /** Undefined when the profile has none. */
  read(profile: string): Credential | undefined;
  write(profile: string, credential: Credential): void;
  /** Returns whether there was one. */
  remove(profile: string): boolean;
}

/** A stored value as a credential; undefined when it is not one. */
export function toCredential(value: unknown): Credential | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { apiKey, apiSecret } = value as Record<string, unknown>;
  return typeof apiKey === "string" && typeof apiSecret === "string" ? { apiKey, apiSecret } : undefined;
}
