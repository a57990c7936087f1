// URLs whose receiver said that it wants nothing more (410). This covers the requests made until then: a later request
// that names the URL has its callbacks posted again.

import type { CallKey } from "./callback-lines.ts";
import type { Transaction } from "./store.ts";

/** A tenant's URL. */
export interface TenantUrl {
  readonly tenantId: number;
  readonly url: string;
}

/** Marks the URL as gone for every call that exists by now. */
export async function markGone(tx: Transaction, { tenantId, url }: TenantUrl, now: number): Promise<void> {
  const newest = await tx.get<{ requestId: number | null }>(
    `SELECT MAX(request_id) AS "requestId"
       FROM (SELECT MAX(request_id) AS request_id FROM tts_calls
             UNION ALL SELECT MAX(request_id) FROM callback_calls) AS newest`,
  );
  await tx.run(
    `INSERT INTO callback_gone_urls (tenant_id, url, through_request_id, gone_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant_id, url) DO UPDATE
        SET through_request_id = excluded.through_request_id, gone_at = excluded.gone_at`,
    tenantId,
    url,
    newest?.requestId ?? 0,
    now,
  );
}

/** Whether the URL is gone for that call. */
export async function isGone(
  tx: Transaction,
  { tenantId, url, requestId }: TenantUrl & { requestId: number },
): Promise<boolean> {
  const row = await tx.get<{ gone: number }>(
    "SELECT 1 AS gone FROM callback_gone_urls WHERE tenant_id = $1 AND url = $2 AND through_request_id >= $3",
    tenantId,
    url,
    requestId,
  );
  return row !== undefined;
}

/** Up to `limit` queued calls for which the URL is gone, none of them in flight. The tenant's lines must be held. */
export function listGoneCalls(tx: Transaction, { tenantId, url }: TenantUrl, limit: number): Promise<CallKey[]> {
  return tx.all<CallKey>(
    `SELECT c.request_id AS "requestId", c.tenant_id AS "tenantId", c.receiver
       FROM callback_gone_urls g
       JOIN callback_calls c ON c.tenant_id = g.tenant_id AND c.url = g.url AND c.request_id <= g.through_request_id
      WHERE g.tenant_id = $1 AND g.url = $2 AND c.lease_token IS NULL
      ORDER BY c.request_id LIMIT $3`,
    tenantId,
    url,
    limit,
  );
}
