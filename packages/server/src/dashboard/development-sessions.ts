// Sessions of a server in development: whoever is on this machine is the demo tenant, or the one that is named.

import type { Authenticate } from "../http/credentials/authentication.ts";
import { Refusal } from "../rules/refusal.ts";
import type { Caller } from "../steps/operation.ts";
import type { Store } from "../store/store.ts";
import { findTenant } from "../store/tenants.ts";

/** Names another tenant than the demo one. */
const TENANT_HEADER = "x-dashboard-tenant";

export function createDevelopmentSessions(store: Store, demoTenantId: () => number): Authenticate {
  return async (headers): Promise<Caller> => {
    const asked = headers[TENANT_HEADER];
    const tenantId = asked === undefined ? demoTenantId() : Number(asked);
    const tenant = Number.isSafeInteger(tenantId) ? await store.read((tx) => findTenant(tx, tenantId)) : undefined;
    if (tenant === undefined) {
      throw new Refusal("credentials_invalid", "X-Dashboard-Tenant: expected the id of a tenant of this server.");
    }
    return { apiKey: "dashboard", tenantId, timezone: tenant.timezone, merchantId: null };
  };
}
