import { type AuditRow, listAuditEntries } from "../domain/tenancy/rows.ts";
import type { Store } from "../store/store.ts";

/** The tenant's last hundred entries without those of signing in, the last ones first. */
export async function listAsked(store: Store, tenantId: number): Promise<AuditRow[]> {
  const entries = await store.read((tx) => listAuditEntries(tx, { tenantId, before: 1e9, limit: 100 }));
  return entries.filter(({ operation }) => operation !== "signIn" && operation !== "setPassword");
}
