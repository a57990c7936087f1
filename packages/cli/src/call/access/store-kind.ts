/** Where a credential can be kept. */
export const STORE_KINDS = ["keychain", "file"] as const;

export type StoreKind = (typeof STORE_KINDS)[number];
