import { operations } from "@msgctl/contract";
import type { Views } from "@msgctl/dashboard/api";
import { mayAs } from "../rules/roles.ts";
import { findTenant, listTenants, type TenantRow } from "../store/tenants.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";
import { permissions } from "./permissions.ts";

/** As many as a person looks through. */
const MOST_TENANTS = 100;

export interface SessionParts {
  readonly isDevelopment: boolean;
  readonly canSearch: boolean;
}

export function sessionHandlers({
  isDevelopment,
  canSearch,
}: SessionParts): DashboardHandlers<"getSession" | "listPermissions"> {
  return {
    getSession: {
      async read({ tx, caller, now }) {
        const own = await findTenant(tx, caller.tenantId);
        if (own === undefined) throw new Error("a session has no tenant");
        const tenants = isDevelopment ? await listTenants(tx) : [own];
        return {
          email: caller.email,
          role: caller.role,
          merchantId: caller.merchantId,
          tenant: viewTenant(own),
          tenants: tenants.slice(0, MOST_TENANTS).map(viewTenant),
          isDevelopment,
          canSearch,
          now: new Date(now).toISOString(),
        };
      },
    },
    listPermissions: {
      answer: async ({ role }) =>
        Object.values(operations).map(({ operationId }) => {
          const { role: least } = permissions[operationId];
          return { operationId, role: least, isAllowed: mayAs(role, least) };
        }),
    },
  };
}

function viewTenant({ tenantId, ...tenant }: TenantRow): Views["TenantView"] {
  return { tenantId: String(tenantId), ...tenant };
}
