import type { Schemas } from "@msgctl/contract";

/**
 * A decision as the table says it; `SEE_ERASED` where it says nothing of the contact, and somebody who opted out was
 * erased: it may have been them, see erased-opt-outs.ts.
 */
export type StoredConsent = Schemas["ConsentStatus"] | "SEE_ERASED";

/** SQL of what stands for a missing decision for the merchant and the channel that the columns name. */
export function withoutConsent(columns: { tenantId: string; merchantId: string; channel: string }): string {
  return `(SELECT 'SEE_ERASED' FROM erased_opt_outs e
            WHERE e.tenant_id = ${columns.tenantId} AND e.merchant_id = ${columns.merchantId}
              AND e.channel = ${columns.channel} LIMIT 1)`;
}
