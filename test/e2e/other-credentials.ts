// The credentials that some refusals need beside the tenant's own, made by msgd's own commands.

import type { Credential, MsgdFolder } from "./msgd-process.ts";

/** Of a demo folder: a second tenant's, its merchant `demo`'s, and a revoked one. */
export function createOthers(folder: MsgdFolder): Readonly<Record<"spare" | "merchant" | "revoked", Credential>> {
  const { tenantId } = folder.demoCredential;
  const revoked = folder.createKey(tenantId);
  folder.command("keys", "revoke", revoked.apiKey);
  return { spare: folder.createTenant("Spare"), merchant: folder.createKey(tenantId, "demo"), revoked };
}
