import type { Channel } from "./merchants.ts";
import type { Query, Transaction } from "./store.ts";

export interface AlertRow {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly alertType: string;
  readonly severity: string;
  readonly message: string;
  readonly thresholdPercent: number | null;
  readonly createdAt: number;
}

/** Raises an alert unless one was raised for the same occurrence. Returns whether it is new. */
export async function insertAlert(
  tx: Transaction,
  alert: Omit<AlertRow, "createdAt"> & { tenantId: number; occurrence: string; now: number },
): Promise<boolean> {
  const added = await tx.run(
    `INSERT INTO alerts (tenant_id, merchant_id, channel, alert_type, severity, message, threshold_percent, occurrence, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (tenant_id, merchant_id, channel, alert_type, occurrence) DO NOTHING`,
    alert.tenantId,
    alert.merchantId,
    alert.channel,
    alert.alertType,
    alert.severity,
    alert.message,
    alert.thresholdPercent,
    alert.occurrence,
    alert.now,
  );
  return added > 0;
}

const select = `
  SELECT merchant_id AS "merchantId", channel, alert_type AS "alertType", severity, message,
         threshold_percent AS "thresholdPercent", created_at AS "createdAt"
    FROM alerts`;

/** Newest first; of one merchant when `merchantId` is given. */
export function alertsQuery(tenantId: number, merchantId: string | undefined): Query<AlertRow> {
  return merchantId === undefined
    ? { sql: `${select} WHERE tenant_id = $1 ORDER BY alert_id DESC LIMIT $2`, values: [tenantId] }
    : {
        sql: `${select} WHERE tenant_id = $1 AND merchant_id = $2 ORDER BY alert_id DESC LIMIT $3`,
        values: [tenantId, merchantId],
      };
}
