// Credentials that some refusals need besides the tenant's own, created by msgd's commands.

import type { Credential, MsgdFolder } from "./msgd-process.ts";

/** Credentials of a demo folder: a second tenant's, its merchant `demo`'s, and a revoked one. */
export function createOthers(folder: MsgdFolder): Readonly<Record<"spare" | "merchant" | "revoked", Credential>> {
  const { tenantId } = folder.demoCredential;
  const revoked = folder.createKey(tenantId);
  folder.command("keys", "revoke", revoked.apiKey);
  return { spare: folder.createTenant("Spare"), merchant: folder.createKey(tenantId, "demo"), revoked };
}
