import { type AuditRow, listAuditEntries } from "../domain/tenancy/rows.ts";
import type { Store } from "../store/store.ts";

/** Lists the tenant's last hundred audit entries, latest first, without those about sign-ins. */
export async function listAsked(store: Store, tenantId: number): Promise<AuditRow[]> {
  const entries = await store.read((tx) => listAuditEntries(tx, { tenantId, before: 1e9, limit: 100 }));
  return entries.filter(({ operation }) => operation !== "signIn" && operation !== "setPassword");
}
