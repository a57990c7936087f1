// Creates credentials that tests of refusals need besides the tenant's own, using msgd's commands.

import type { Credential, MsgdFolder } from "./msgd-process.ts";

/** Creates credentials in a demo folder: one of a second tenant, one of the merchant `demo`, and a revoked one. */
export function createOthers(folder: MsgdFolder): Readonly<Record<"spare" | "merchant" | "revoked", Credential>> {
  const { tenantId } = folder.demoCredential;
  const revoked = folder.createKey(tenantId);
  folder.command("keys", "revoke", revoked.apiKey);
  return { spare: folder.createTenant("Spare"), merchant: folder.createKey(tenantId, "demo"), revoked };
}
