import type { CredentialStore, StoreKind } from "./credential.ts";
import { createFileStore } from "./file-store.ts";
import { createKeychainStore } from "./keychain-store.ts";

/** The store of the profiles in `folder`. A keychain is not touched until one of its methods is called. */
export function openStore(folder: string, kind: StoreKind = "file"): CredentialStore {
  return kind === "keychain" ? createKeychainStore(folder) : createFileStore(folder);
}
