// Sessions of a server in development: whoever is on this machine is the demo tenant, or the one that is named.

import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../rules/refusal.ts";
import type { Store } from "../store/store.ts";
import { findTenant } from "../store/tenants.ts";
import type { DashboardCaller } from "./dashboard-api.ts";

/** Names another tenant than the demo one. */
const TENANT_HEADER = "x-dashboard-tenant";

export function createDevelopmentSessions(store: Store, demoTenantId: () => number) {
  return async (headers: IncomingHttpHeaders): Promise<DashboardCaller> => {
    const asked = headers[TENANT_HEADER];
    const tenantId = asked === undefined ? demoTenantId() : Number(asked);
    const tenant = Number.isSafeInteger(tenantId) ? await store.read((tx) => findTenant(tx, tenantId)) : undefined;
    if (tenant === undefined) {
      throw new Refusal("credentials_invalid", "X-Dashboard-Tenant: expected the id of a tenant of this server.");
    }
    const { timezone } = tenant;
    const nobody = { userId: null, email: null, sessionId: null };
    return { apiKey: "dashboard", tenantId, timezone, merchantId: null, role: "admin", ...nobody };
  };
}
