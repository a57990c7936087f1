import { Refusal } from "../rules/refusal.ts";
import type { Audit } from "./audit.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const PAGE = 100;

/** Without an audit, as in development, there is nothing to list. */
export function auditHandlers(audit: Audit | undefined): DashboardHandlers<"listAuditEntries"> {
  return {
    listAuditEntries: {
      async answer({ tenantId, merchantId }, { query: { about, before = Number.MAX_SAFE_INTEGER } }) {
        if (merchantId !== null) {
          throw new Refusal("merchant_scope_denied", "The audit is of the whole tenant, and you see one merchant.");
        }
        const found = (await audit?.list(tenantId, { about, before: Number(before), limit: PAGE + 1 })) ?? [];
        const entries = found.slice(0, PAGE).map(({ userId: _userId, askedAt, requestId, ...entry }) => ({
          ...entry,
          requestId: requestId === "" ? null : requestId,
          askedAt: new Date(askedAt).toISOString(),
        }));
        return { entries, next: found.length > PAGE ? (entries.at(-1)?.entryId ?? null) : null };
      },
    },
  };
}
