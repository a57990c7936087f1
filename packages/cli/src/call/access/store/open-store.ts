import type { CredentialStore, StoreKind } from "./credential.ts";
import { createFileStore } from "./file-store.ts";
import { createKeychainStore } from "./keychain-store.ts";

/** Opens the store of the profiles in `folder`. A keychain is not accessed before the first method call. */
export function openStore(folder: string, kind: StoreKind = "file"): CredentialStore {
  return kind === "keychain" ? createKeychainStore(folder) : createFileStore(folder);
}
