import { credentialFile } from "./credential-file.ts";
import type { CredentialStore } from "./credential-store.ts";
import { keychainStore } from "./keychain-store.ts";
import type { StoreKind } from "./store-kind.ts";

/** The store of the profiles in `folder`. A keychain is not touched before one of its methods is called. */
export function openCredentialStore(folder: string, kind: StoreKind = "file"): CredentialStore {
  return kind === "keychain" ? keychainStore(folder) : credentialFile(folder);
}
